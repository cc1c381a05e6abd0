import type { Reject } from '#domain/weather/types.ts';
import type { Feed, FeedScope, Parsed } from './define-feed.ts';
import { minuteMs } from '#domain/time.ts';

const ageText = (minutes: number): string => {
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2 * 1_440 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1_440)} days`;
};

/** Share of rejected records above which a delivery is refused. */
const defaultShare = 0.5;

/** Why a delivery is refused for its rejected records; null if most were readable. */
export const unreadableReason = (
  accepted: number,
  rejected: number,
  first: Reject | undefined,
  share = defaultShare,
): string | null => {
  const total = accepted + rejected;
  if (rejected === 0 || rejected < total * share) return null;
  return `${rejected} of ${total} records are unreadable${first ? `, the first because of: ${first.reason}` : ''}`;
};

const rejectedReason = ({ guards }: Feed, parsed: Parsed<unknown>): string | null => {
  if (guards.rejectedShare === null) return null;
  const rejected = parsed.rejected ?? parsed.rejects.length;
  return unreadableReason(parsed.accepted ?? parsed.count, rejected, parsed.rejects[0], guards.rejectedShare);
};

const countReason = ({ guards }: Feed, parsed: Parsed<unknown>, source: string, scope: FeedScope) => {
  const ofLastRun = scope.state?.lastSource === source ? (scope.state.lastCount ?? 0) : 0;
  const previous = guards.compareWith === 'lastRun' ? ofLastRun : (parsed.stored ?? 0);
  return parsed.count < previous / 2
    ? `${parsed.count} records, less than half of the last ${previous}`
    : null;
};

/** Why data of this time are too old; null if they are recent enough or undated. */
export const tooOldReason = (
  dataAt: Date | null | undefined,
  limit: number | undefined,
  { now, name = 'record' }: { now: Date; name?: string | undefined },
): string | null => {
  if (limit === undefined || !dataAt) return null;
  const minutes = Math.round((now.getTime() - dataAt.getTime()) / minuteMs);
  return minutes > limit ? `the newest ${name} is ${ageText(minutes)} old` : null;
};

const ageReason = ({ guards }: Feed, parsed: Parsed<unknown>, scope: FeedScope): string | null => {
  const limit = (scope.isManual ? guards.manualAgeMinutes : undefined) ?? guards.ageMinutes;
  return tooOldReason(parsed.dataAt, limit, { now: scope.now, name: guards.dataName });
};

const orderReason = ({ guards }: Feed, parsed: Parsed<unknown>, scope: FeedScope): string | null => {
  const active = parsed.activeAt ?? scope.state?.lastDataAt ?? null;
  if (guards.notOlderThanStored !== true || !parsed.dataAt || !active || parsed.dataAt >= active) return null;
  const shown = (at: Date) => at.toISOString().slice(0, 16);
  const name = guards.dataName ?? 'data set';
  return `the ${name} of ${shown(parsed.dataAt)} is older than that of ${shown(active)} already stored`;
};

/**
 * Why a delivery must not be stored, by the guards of its feed; empty if it may. Applies to scheduled and manual runs;
 * `--force` overrides it.
 */
export const refusalsOf = (feed: Feed, parsed: Parsed<unknown>, source: string, scope: FeedScope): string[] =>
  [
    rejectedReason(feed, parsed),
    countReason(feed, parsed, source, scope),
    ageReason(feed, parsed, scope),
    orderReason(feed, parsed, scope),
    feed.guard?.(parsed, scope) ?? null,
  ].filter((reason) => reason !== null);
