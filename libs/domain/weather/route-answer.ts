import { between, placeOf, rad, trackDeg } from '../geography/sphere.ts';
import { forecastTimeAt } from '../winds/forecast-time.ts';
import { freezingLevelFt } from '../winds/freezing-level.ts';
import { knotsPerMs, windSampler } from '../winds/interpolate.ts';
import type { WindSnapshot } from '../winds/snapshot.ts';
import { flightLevelPressureHpa } from '../winds/standard-atmosphere.ts';
import { windAloft } from '../winds/wind-aloft.ts';
import type { RouteHazard, RoutePointAnswer } from './route-schema.ts';
import type { Route, RoutePoint } from './route.ts';
import type { Passage, RouteMoment, SigmetOnRoute } from './sigmet-route.ts';
import { isoSeconds } from '../time.ts';

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** Half the wind grid spacing. */
const stepNm = 30;

/** Mean tailwind between two points in knots, sampled along the great circle for jet streams. Null: wind unknown. */
const tailwindOnLeg = (snapshot: WindSnapshot | null, a: RoutePoint, b: RoutePoint): number | null => {
  if (snapshot === null) return null;
  const steps = Math.max(1, Math.ceil((b.distanceNm - a.distanceNm) / stepNm));
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const share = i / steps;
    const of = (from: number, to: number): number => from + share * (to - from);
    const place = between(a.place, b.place, share);
    const { latitude, longitude } = placeOf(place);
    const time = forecastTimeAt(snapshot.header, of(a.timeMs, b.timeMs));
    const pressureHpa = flightLevelPressureHpa(of(a.flightLevel, b.flightLevel));
    const { uMs, vMs } = windSampler(snapshot, latitude, longitude, time)(pressureHpa);
    if (uMs === null || vMs === null) return null;
    const track = (i < steps ? trackDeg(place, b.place) : trackDeg(place, a.place) + 180) * rad;
    // Trapezoidal rule: both ends have half weight.
    sum += (i === 0 || i === steps ? 0.5 : 1) * (uMs * Math.sin(track) + vMs * Math.cos(track));
  }
  return Math.round((sum / steps) * knotsPerMs) + 0;
};

/** Wind and temperature at each point as in windAloft, with times and wind for the legs. */
export const routePoints = ({ points }: Route, snapshot: WindSnapshot | null): RoutePointAnswer[] => {
  const entries = windAloft(
    snapshot,
    points.map(({ ident, latitude, longitude, flightLevel, timeMs }) => ({
      name: ident,
      latitude,
      longitude,
      cruiseLevel: flightLevel,
      eto: isoSeconds(timeMs),
    })),
    0,
  );
  return entries.flatMap((entry, i) => {
    const [point, next] = [points[i], points[i + 1]];
    if (!point) return [];
    const track = next ? trackDeg(point.place, next.place) : null;
    return [
      {
        ident: entry.name,
        latitude: point.latitude,
        longitude: point.longitude,
        flightLevel: point.flightLevel,
        eto: isoSeconds(point.timeMs),
        distance: rounded(point.distanceNm, 1),
        track: track === null ? null : Math.round(track) % 360,
        tailwind: next ? tailwindOnLeg(snapshot, point, next) : null,
        forecastHour: entry.forecastHour,
        temperature: entry.cruiseTemperature,
        freezingLevel: freezingLevelFt(snapshot, point, point.timeMs),
        winds: entry.winds,
      },
    ];
  });
};

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
