/** Decides whether an imported document is a stored plan, a new version of one, or a new plan. */
import type { OfpFacts } from './summary.ts';

/** What identifies a version. */
export interface OfpVersion {
  /** SimBrief's ids; we issue our own, because these can be guessed and are unique only within a planner. */
  requestId: string | null;
  staticId: string | null;
  generatedAt: Date | null;
  /**
   * SHA-256 of the document without parts that change with every fetch, whether NOTAM are kept or not; the only identity
   * of documents without ids.
   */
  contentHash: string;
  /** The same document may be stored with or without its NOTAM. */
  hasNotams: boolean;
}

export interface StoredVersion extends OfpVersion {
  ofpId: string;
}

export type ImportDecision =
  | { kind: 'new' }
  | { kind: 'unchanged'; ofpId: string; isOlder: boolean }
  | { kind: 'update'; ofpId: string };

const compare = (
  stored: StoredVersion,
  { generatedAt, contentHash, hasNotams }: OfpVersion,
): 'same' | 'older' | 'newer' => {
  if (stored.contentHash === contentHash && stored.hasNotams === hasNotams) return 'same';
  if (generatedAt === null || stored.generatedAt === null) return 'newer';
  // A corrected plan may keep ids and time.
  return generatedAt < stored.generatedAt ? 'older' : 'newer';
};

/** What identifies the flight of a plan. */
export interface FlightKey {
  flightNumber: string;
  /** Date of departure, UTC: `2026-11-05`. */
  date: string;
  origin: string;
  destination: string;
}

/** Null if the plan does not say. */
export const flightKeyOf = ({
  flightNumber,
  callsign,
  estimatedOut,
  estimatedOff,
  origin,
  destination,
}: OfpFacts): FlightKey | null => {
  const at = estimatedOut ?? estimatedOff;
  const flight = flightNumber ?? callsign;
  if (flight === null || at === null || origin.icao === null || destination.icao === null) return null;
  return { flightNumber: flight, date: at.slice(0, 10), origin: origin.icao, destination: destination.icao };
};

/**
 * `target`: the plan that the caller wants to refresh. `stored`: the owner's plans with the same request id, static id
 * or content. An older document never replaces a newer one, unless `always`.
 */
export const decideImport = (
  given: OfpVersion,
  stored: readonly StoredVersion[],
  { target, always }: { target: StoredVersion | null; always: boolean },
): ImportDecision => {
  const update = (plan: StoredVersion): ImportDecision => {
    const order = compare(plan, given);
    if (order === 'newer' || always) return { kind: 'update', ofpId: plan.ofpId };
    return { kind: 'unchanged', ofpId: plan.ofpId, isOlder: order === 'older' };
  };
  if (target) return update(target);
  const sameRequest = stored.find(
    ({ requestId, contentHash }) =>
      contentHash === given.contentHash || (requestId !== null && requestId === given.requestId),
  );
  if (sameRequest) return update(sameRequest);
  const sameStatic = stored.find(({ staticId }) => staticId !== null && staticId === given.staticId);
  // An older plan with the same dispatch id is a plan of its own.
  return sameStatic && compare(sameStatic, given) === 'newer' ? update(sameStatic) : { kind: 'new' };
};
