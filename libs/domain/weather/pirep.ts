/** Pilot reports (PIREP) and aircraft reports (AIREP), and those near a route. */
import { z } from 'zod';
import type { Route } from './route.ts';
import { placesNear } from './stations.ts';
import type { PlaceIndex } from './stations.ts';
import { hourMs } from '../time.ts';

/** Older reports say little about the current conditions. */
export const pirepHours = 3;
const corridorNm = 50;
const maxPirepsOnRoute = 40;

const layerSchema = z.strictObject({
  intensity: z.string().describe('as reported: NEG, LGT, MOD, SEV, EXTRM or an intermediate value'),
  type: z.string().nullable().describe('CHOP, CAT, RIME, CLEAR, MIXED …; null: not reported'),
  base: z.int().nullable().describe('feet; null: at the altitude of the report'),
  top: z.int().nullable().describe('feet; null: at the altitude of the report'),
});

const whereShape = {
  kind: z.enum(['PIREP', 'AIREP']).describe('PIREP: from a pilot; AIREP: from an aircraft report'),
  isUrgent: z.boolean().describe('true: an urgent report (UUA)'),
  observedAt: z.string().describe('ISO 8601, UTC'),
  latitude: z.number(),
  longitude: z.number(),
  altitude: z.int().nullable().describe('feet; null: not reported'),
  aircraft: z.string().nullable().describe('aircraft type; in an AIREP, the call sign'),
};
const whatShape = {
  turbulence: z.array(layerSchema).describe('empty: not reported; NEG: none'),
  icing: z.array(layerSchema).describe('empty: not reported; NEG: none'),
  temperature: z.number().nullable().describe('degrees C'),
  windDirection: z.int().nullable().describe('degrees true'),
  windSpeed: z.int().nullable().describe('knots'),
  text: z.string().describe('original text of the report'),
};

/** A report as read and stored. */
const pirepSchema = z.strictObject({ ...whereShape, ...whatShape });
export type Pirep = z.output<typeof pirepSchema>;

export const routePirepSchema = z.strictObject({
  ...whereShape,
  offRoute: z.number().describe('distance from the route, nautical miles'),
  alongRoute: z.number().describe('distance along the route to the closest point, nautical miles'),
  ...whatShape,
});
export type RoutePirep = z.output<typeof routePirepSchema>;

/** Severe first, then moderate, then others; reports with neither turbulence nor icing come last. */
const rankOf = ({ isUrgent, turbulence, icing }: Pirep): number => {
  const words = [...turbulence, ...icing].map(({ intensity }) => intensity);
  if (isUrgent || words.some((word) => /SEV|EXTRM|HVY/.test(word))) return 0;
  if (words.some((word) => word.includes('MOD'))) return 1;
  return words.some((word) => /LGT|TRACE/.test(word)) ? 2 : 3;
};

const rounded = (value: number): number => Number(value.toFixed(1));

/** Reports from the last hours within 50 NM of the route, most severe first, then latest first. */
export const pirepsNear = (
  index: PlaceIndex<Pirep>,
  route: Route,
  now: Date,
): { pireps: RoutePirep[]; pirepCount: number } => {
  const oldest = new Date(now.getTime() - pirepHours * hourMs).toISOString();
  const near = placesNear(index, route, corridorNm).filter(({ observedAt }) => observedAt >= oldest);
  const sorted = near.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || b.observedAt.localeCompare(a.observedAt) || a.offNm - b.offNm,
  );
  const pireps = sorted.slice(0, maxPirepsOnRoute).map((one) => {
    const { offNm, alongNm, timeMs: _, ...pirep } = one;
    return { ...pirep, offRoute: rounded(offNm), alongRoute: rounded(alongNm) };
  });
  return { pireps, pirepCount: near.length };
};
