import type { Position } from '../airports/types.ts';
import { addSeconds, daySeconds } from '../time.ts';
import type { Schedule } from './schedule.ts';

export type DistanceKind = 'TORA' | 'TODA' | 'ASDA' | 'LDA';
export type RunwayUse = 'all' | 'landing' | 'takeoff';
export type Surface = 'paved' | 'unpaved';

/**
 * Effect of one NOTAM on the runways of an aerodrome. Designators are padded ("09", "27L"), lengths are in metres.
 * `condition` is the reason for uncertainty: such an effect is shown but never applied.
 */
export type RunwayEffect = { condition?: string | undefined } & (
  | { kind: 'closed'; runway: string; use: RunwayUse; surface?: Surface | undefined }
  /** The text has no designator; `single` when it refers to one runway only. */
  | { kind: 'allRunwaysClosed'; use: RunwayUse; single: boolean; surface?: Surface | undefined }
  | { kind: 'aerodromeClosed'; use: RunwayUse }
  | { kind: 'declaredDistance'; runway: string; distance: DistanceKind; valueM: number }
  /** Part closed at the start or end of a run in this direction. */
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

/** Effects and flags found by one reader. */
export interface Interpretation {
  effects: RunwayEffect[];
  flags: string[];
}

export interface Notam {
  /** Issuer and number, for example "EGTT:A0412/26" or "STL:2025:08/430"; the same for every source. */
  key: string;
  number: string;
  type: 'N' | 'R' | 'C';
  /** Key of the NOTAM replaced or cancelled by this one. */
  replacesKey: string | null;
  format: 'icao' | 'faa';
  fir: string | null;
  /** Item A as written. */
  locations: string[];
  /** ICAO codes of its aerodromes; empty when it only concerns airspace. */
  airports: string[];
  qCode: string | null;
  position: Position | null;
  /** ISO 8601 in UTC. */
  fromUtc: string;
  /** Null when permanent, or unknown with an estimated end. */
  toUtc: string | null;
  isEstimated: boolean;
  scheduleRaw: string | null;
  /** Null without a schedule, or with one that was not understood (then flagged). */
  schedule: Schedule | null;
  text: string;
  effects: RunwayEffect[];
  /** Parts not understood with certainty, so a pilot has to read the text. */
  flags: string[];
  /** Padded designators in the text; empty means that it may concern every runway. */
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

/** A NOTAM past its estimated end is used for at most this long. */
const estimatedEndDays = 32;

/** True if the validity is over. An estimated end is final only after a month. */
export const hasEnded = ({ toUtc, isEstimated }: Pick<Notam, 'toUtc' | 'isEstimated'>, now: Date): boolean =>
  toUtc !== null &&
  addSeconds(new Date(toUtc), isEstimated ? estimatedEndDays * daySeconds : 0).getTime() <= now.getTime();

/** True if a NOTAM is not cancelled, has begun and has not ended at `now`; ignores schedules. */
export const isValidAt = (
  notam: Pick<Notam, 'type' | 'fromUtc' | 'toUtc' | 'isEstimated'>,
  now: Date,
): boolean => notam.type !== 'C' && Date.parse(notam.fromUtc) <= now.getTime() && !hasEnded(notam, now);
