/** Data for drawing the vertical profile of a route. */
import { freezingLevelFt, windSampler } from '../winds/interpolate.ts';
import type { WindSnapshot } from '../winds/snapshot.ts';
import { levelWind } from '../winds/wind-aloft.ts';
import { momentAt } from './route.ts';
import type { Route } from './route.ts';
import type { SigmetOnRoute } from './sigmet-route.ts';
import { isoSeconds } from '../time.ts';

const columns = 10;
const levels = [50, 100, 180, 240, 300, 340, 390, 450, 530];

/** Columns evenly spaced along the route, each at the middle of its section, to four decimals and whole seconds. */
const columnsOf = ({ points, legs }: Route) => {
  const total = points.at(-1)?.distanceNm ?? 0;
  return Array.from({ length: columns }, (_, i) => ((i + 0.5) / columns) * total).flatMap((distanceNm) => {
    const leg = legs.find(({ end }) => end.distanceNm >= distanceNm);
    if (!leg) return [];
    const { start, end } = leg;
    const share = (distanceNm - start.distanceNm) / (end.distanceNm - start.distanceNm || 1);
    const { latitude, longitude, timeMs } = momentAt(leg, share);
    return [
      {
        distanceNm,
        latitude: Number(latitude.toFixed(4)),
        longitude: Number(longitude.toFixed(4)),
        time: isoSeconds(timeMs),
      },
    ];
  });
};

const hazardsOf = (found: readonly SigmetOnRoute[]) =>
  found.flatMap(({ sigmet, along, crossings }) =>
    along.map(({ entry, exit }) => ({
      /** `SEV TURB`. */
      text: [sigmet.qualifier, sigmet.hazard].filter(Boolean).join(' '),
      crosses: crossings.some(
        (crossing) =>
          crossing.entry.distanceNm >= entry.distanceNm && crossing.exit.distanceNm <= exit.distanceNm,
      ),
      fromNm: entry.distanceNm,
      toNm: exit.distanceNm,
      /** Flight levels; null: no limit stated. */
      base: sigmet.baseFt === null ? null : sigmet.baseFt / 100,
      top: sigmet.topFt === null ? null : sigmet.topFt / 100,
    })),
  );

export type RouteProfile = ReturnType<typeof routeProfile>;

export const routeProfile = (
  route: Route,
  snapshot: WindSnapshot | null,
  sigmets: readonly SigmetOnRoute[],
) => {
  const highest = Math.max(...route.points.map(({ flightLevel }) => flightLevel));
  // Two levels above the flight show the air into which it may climb.
  const shown = levels.filter((level, i) => i < 5 || (levels[i - 2] ?? 0) < highest);
  const places = columnsOf(route);
  const winds = places.flatMap((place) => {
    const sample = windSampler(snapshot, place, Date.parse(place.time));
    return shown.flatMap((flightLevel) => {
      const { windDirection: directionDeg, windSpeed: speedKt } = levelWind(sample, flightLevel);
      return directionDeg === null ? [] : [{ ...place, flightLevel, directionDeg, speedKt }];
    });
  });
  return {
    distanceNm: route.points.at(-1)?.distanceNm ?? 0,
    /** Highest flight level shown. */
    ceiling: Math.max(highest, shown.at(-1) ?? 0) + 30,
    track: route.points.map(({ distanceNm, flightLevel, ident, timeMs }) => ({
      distanceNm,
      flightLevel,
      ident,
      time: isoSeconds(timeMs),
    })),
    /** As in the answer of windAloft. */
    winds,
    /** Pressure altitudes of 0 degrees C along the route, feet. */
    freezing: places.flatMap((place) => {
      const ft = freezingLevelFt(snapshot, place, Date.parse(place.time));
      return ft === null ? [] : [{ distanceNm: place.distanceNm, ft }];
    }),
    hazards: hazardsOf(sigmets),
  };
};
