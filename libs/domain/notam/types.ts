import { addSeconds } from '../time.ts';
import type { Schedule } from './schedule.ts';

export type DistanceKind = 'TORA' | 'TODA' | 'ASDA' | 'LDA';
export type RunwayUse = 'all' | 'landing' | 'takeoff';
export type Surface = 'paved' | 'unpaved';

/**
 * Effect of one NOTAM on the runways of an aerodrome. Runway designators are padded ("09", "27L"), lengths in
 * metres. `condition` is the reason why the effect is not certain: such an effect is shown, never applied.
 */
export type RunwayEffect = { condition?: string | undefined } & (
  | { kind: 'closed'; runway: string; use: RunwayUse; surface?: Surface | undefined }
  /** No designator in the text; `single` when the text refers to one runway only. */
  | { kind: 'allRunwaysClosed'; use: RunwayUse; single: boolean; surface?: Surface | undefined }
  | { kind: 'aerodromeClosed'; use: RunwayUse }
  | { kind: 'declaredDistance'; runway: string; distance: DistanceKind; valueM: number }
  /** Part of the runway closed, at the start or at the end of a run in this direction. */
  | { kind: 'shortened'; runway: string; end: 'start' | 'end'; lengthM: number }
  | { kind: 'displaced'; runway: string; byM: number }
  | { kind: 'intersectionDistance'; runway: string; intersection: string; valueM: number }
  /** `runways` empty: the taxiway is closed as a whole. */
  | { kind: 'exitClosed'; name: string; runways: string[] }
);

type Closure = Extract<RunwayEffect, { kind: 'closed' | 'allRunwaysClosed' | 'aerodromeClosed' }>;
export const closes = (effect: RunwayEffect): effect is Closure =>
  effect.kind === 'closed' || effect.kind === 'allRunwaysClosed' || effect.kind === 'aerodromeClosed';
export const setsDistance = ({ kind }: RunwayEffect): boolean =>
  kind === 'declaredDistance' || kind === 'shortened' || kind === 'displaced';

/** Effects and flags that one reader found. */
export interface Interpretation {
  effects: RunwayEffect[];
  flags: string[];
}

export interface Position {
  latitudeDeg: number;
  longitudeDeg: number;
}

export interface Notam {
  /** Issuer and number, for example "EGTT:A0412/26" or "STL:2025:08/430"; the same for every source. */
  key: string;
  number: string;
  type: 'N' | 'R' | 'C';
  /** Key of the NOTAM that this one replaces or cancels. */
  replacesKey: string | null;
  format: 'icao' | 'faa';
  fir: string | null;
  /** Item A as written. */
  locations: string[];
  /** ICAO codes of the aerodromes it is about; empty when it is about airspace only. */
  airports: string[];
  qCode: string | null;
  position: Position | null;
  /** ISO 8601 in UTC. */
  fromUtc: string;
  /** Null when permanent or, with an estimated end, not known. */
  toUtc: string | null;
  isEstimated: boolean;
  scheduleRaw: string | null;
  /** Null without a schedule, and when the schedule was not understood (then there is a flag). */
  schedule: Schedule | null;
  text: string;
  effects: RunwayEffect[];
  /** What was not understood with certainty: a pilot has to read the text. */
  flags: string[];
  /** The runway designators that the text names, padded; none: it may be about all of them. */
  runways: string[];
  raw: string;
}

export interface NotamReject {
  reason: string;
  raw: string;
}

export interface NotamBatch {
  records: Notam[];
  rejects: NotamReject[];
}

/** An estimated end is not final, but a NOTAM is not used for longer than this after it. */
const estimatedEndDays = 32;

/** True when a NOTAM that is not cancelled has begun and is not over at `now`, ignoring schedules. */
export const isValidAt = (
  { type, fromUtc, toUtc, isEstimated }: Pick<Notam, 'type' | 'fromUtc' | 'toUtc' | 'isEstimated'>,
  now: Date,
): boolean => {
  if (type === 'C' || Date.parse(fromUtc) > now.getTime()) return false;
  if (toUtc === null) return true;
  const end = isEstimated
    ? addSeconds(new Date(toUtc), estimatedEndDays * 86_400).getTime()
    : Date.parse(toUtc);
  return end > now.getTime();
};
