import { rad, trackDeg } from '../geography/sphere.ts';
import { freezingLevelFt, knotsPerMs, windSampler } from '../winds/interpolate.ts';
import type { WindSnapshot } from '../winds/snapshot.ts';
import { flightLevelPressureHpa } from '../winds/standard-atmosphere.ts';
import { windsAt } from '../winds/wind-aloft.ts';
import type { RouteHazard, RoutePointAnswer } from './route-schema.ts';
import { momentAt } from './route.ts';
import type { Route, RouteLeg } from './route.ts';
import type { Passage, RouteMoment, SigmetOnRoute } from './sigmet-route.ts';
import { isoSeconds } from '../time.ts';

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** Half the wind grid spacing. */
const stepNm = 30;

/** Mean tailwind on a leg in knots, sampled along the great circle for jet streams. Null: wind unknown. */
const tailwindOnLeg = (snapshot: WindSnapshot | null, leg: RouteLeg): number | null => {
  const steps = Math.max(1, Math.ceil((leg.end.distanceNm - leg.start.distanceNm) / stepNm));
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const { place, flightLevel, timeMs, ...position } = momentAt(leg, i / steps);
    const { uMs, vMs } = windSampler(snapshot, position, timeMs)(flightLevelPressureHpa(flightLevel));
    if (uMs === null || vMs === null) return null;
    const track = (i < steps ? trackDeg(place, leg.to) : trackDeg(place, leg.from) + 180) * rad;
    // Trapezoidal rule: both ends have half weight.
    sum += (i === 0 || i === steps ? 0.5 : 1) * (uMs * Math.sin(track) + vMs * Math.cos(track));
  }
  return Math.round((sum / steps) * knotsPerMs) + 0;
};

/** Wind and temperature at each point as in windAloft, with times and wind for the legs. */
export const routePoints = ({ points, legs }: Route, snapshot: WindSnapshot | null): RoutePointAnswer[] =>
  points.map((point, i) => {
    const { ident, latitude, longitude, flightLevel, timeMs } = point;
    const leg = legs[i];
    const eto = isoSeconds(timeMs);
    const { forecastHour, cruiseTemperature, winds } = windsAt(snapshot, point, flightLevel, Date.parse(eto));
    return {
      ident,
      latitude,
      longitude,
      flightLevel,
      eto,
      distance: rounded(point.distanceNm, 1),
      track: leg ? Math.round(trackDeg(leg.from, leg.to)) % 360 : null,
      tailwind: leg ? tailwindOnLeg(snapshot, leg) : null,
      forecastHour,
      temperature: cruiseTemperature,
      freezingLevel: freezingLevelFt(snapshot, point, timeMs),
      winds,
    };
  });

const momentOf = ({ latitude, longitude, distanceNm, flightLevel, timeMs }: RouteMoment) => ({
  latitude: rounded(latitude, 4),
  longitude: rounded(longitude, 4),
  distance: rounded(distanceNm, 1),
  flightLevel: Math.round(flightLevel),
  time: isoSeconds(timeMs),
});
const passageOf = ({ entry, exit }: Passage) => ({ entry: momentOf(entry), exit: momentOf(exit) });

export const hazardOf = ({ sigmet, along, crossings }: SigmetOnRoute): RouteHazard => ({
  list: sigmet.product,
  kind: sigmet.kind,
  fir: sigmet.fir,
  firName: sigmet.firName,
  series: sigmet.series,
  hazard: sigmet.hazard,
  qualifier: sigmet.qualifier,
  validFrom: isoSeconds(Date.parse(sigmet.validFrom)),
  validTo: isoSeconds(Date.parse(sigmet.validTo)),
  base: sigmet.baseFt === null ? null : Math.round(sigmet.baseFt),
  top: sigmet.topFt === null ? null : Math.round(sigmet.topFt),
  movement: sigmet.movement && { toward: sigmet.movement.towardDeg, speed: sigmet.movement.speedKt },
  change: sigmet.change,
  text: sigmet.raw,
  area: sigmet.parts.map((part) => part.map(([latitude, longitude]) => ({ latitude, longitude }))),
  crosses: crossings.length > 0,
  crossings: crossings.map(passageOf),
  along: along.map(passageOf),
});

/** Data that no source provides, with the reason. */
export const routeNotKnown = (snapshot: WindSnapshot | null) => [
  {
    field: 'tropopause',
    reason: 'The stored fields of the model are winds and temperatures by level, without a tropopause.',
  },
  ...(snapshot === null
    ? [
        {
          field: 'winds',
          reason: 'No winds are stored: the feed has not succeeded yet, or its forecast is over.',
        },
      ]
    : []),
];
