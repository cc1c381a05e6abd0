/** The feed of changes as the query and the stream read it. */
import { z } from 'zod';
import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import { lastOfEach, rowChangeSchema, rowChangeView } from '#domain/sync/change.ts';
import type { SyncKind } from '#domain/sync/change.ts';
import { cursorDays, cursorOf, cursorText } from '#domain/sync/cursor.ts';
import type { Clock } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import { airlinesOfReader } from '#domain/virtual-airlines/admin-gate.ts';
import type { TokenClaims } from '#data/auth/tokens.ts';
import { rowChangeRepo } from '#data/postgres/sync/row-changes.ts';
import type { Audience } from '#data/postgres/sync/row-changes.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { ErrorTable } from '../../../errors.ts';
import type { Identities } from '../../../services/identities.ts';
import { maxWaitingPerAccount } from '../../../services/waiting.ts';
import type { Waiting } from '../../../services/waiting.ts';
import { callerOfClaims } from '../../../stages/authenticate.ts';

/** Below the 60 s after which many proxies end a silent connection. */
export const maxWaitSeconds = 50;
/** A snapshot names every transaction that is open: one of each connection of the database. */
export const maxCursorText = 8_000;
/** Changes of one answer, several of one row counted. */
const pageSize = 500;

export const syncErrors = {
  SINCE_TOO_OLD: {
    status: 410,
    message: `The cursor is older than ${cursorDays} days, or of another database. Sync without since, and remove everything else.`,
  },
  TOO_MANY_WAITING: {
    status: 429,
    message: `At most ${maxWaitingPerAccount} calls of an account may wait at the same time.`,
  },
} as const satisfies ErrorTable;

export const heardSchema = z.strictObject({
  changes: z.array(rowChangeSchema),
  cursor: z.string(),
  hasMore: z.boolean(),
});
export type Heard = z.input<typeof heardSchema>;

export interface Listening {
  db: ReadDb;
  clock: Clock;
  identities: Identities;
  waiting: Waiting;
  claims: TokenClaims;
  kinds: readonly SyncKind[] | null;
}

const audienceOf = (caller: Caller): Audience => {
  const { ids, isEvery } = airlinesOfReader(caller);
  return { userId: caller.userId, vaIds: [...new Set(ids)], isEveryVa: isEvery };
};

const read = async (
  { db, clock, kinds }: Listening,
  since: string | null,
  caller: Caller,
): Promise<Heard> => {
  const repo = rowChangeRepo(db);
  const now = clock.now();
  if (since === null) {
    const { source, now: seen } = await repo.position();
    return { changes: [], cursor: cursorText({ source, issuedAt: now, seen, page: null }), hasMore: false };
  }
  const known = cursorOf(since);
  if (!known) throw new DomainError('INVALID_FIELD', { field: 'since' });
  const found = await repo.since(known, audienceOf(caller), { kinds, limit: pageSize + 1 });
  if (found.source !== known.source || known.issuedAt < addSeconds(now, -cursorDays * 86_400))
    throw new DomainError('SINCE_TOO_OLD');
  const changes = found.changes.slice(0, pageSize);
  const last = changes.at(-1);
  const hasMore = found.changes.length > pageSize;
  // The last page shows the moment of the first one.
  const issuedAt = known.page || hasMore ? known.issuedAt : now;
  const place =
    hasMore && last
      ? { seen: known.seen, page: { until: found.now, afterId: last.changeId } }
      : { seen: found.now, page: null };
  return {
    changes: lastOfEach(changes).map(rowChangeView),
    cursor: cursorText({ source: found.source, issuedAt, ...place }),
    hasMore,
  };
};

/**
 * What has changed since this cursor, or as soon as something changes; without one, where the feed stands. Nothing after
 * `waitMs`, when the client goes away, and at the end of the process. Throws AUTH_REQUIRED once the session has ended.
 */
export const hear = async (
  listening: Listening,
  since: string | null,
  { waitMs, gone }: { waitMs: number; gone: () => AbortSignal },
): Promise<Heard> => {
  const { identities, waiting, claims } = listening;
  const untilMs = performance.now() + waitMs;
  const callerNow = async (): Promise<Caller> => {
    const caller = await callerOfClaims(identities, claims);
    if (!caller || caller.isDisabled) throw new DomainError('AUTH_REQUIRED');
    return caller;
  };
  if (waitMs <= 0 || since === null) return read(listening, since, await callerNow());
  const waiter = await waiting.join(audienceOf(await callerNow()), gone());
  if (!waiter) throw new DomainError('TOO_MANY_WAITING');
  try {
    for (;;) {
      const heard = await waiting.inTurn(async () => read(listening, since, await callerNow()));
      if (heard.changes.length > 0 || !(await waiter.told(untilMs - performance.now()))) return heard;
    }
  } finally {
    waiter.leave();
  }
};
