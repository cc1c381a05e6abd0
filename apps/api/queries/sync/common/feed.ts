/** Reads the change feed, for the query and the stream. */
import { z } from 'zod';
import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import { lastOfEach, rowChangeSchema, rowChangeView } from '#domain/sync/change.ts';
import type { SyncKind } from '#domain/sync/change.ts';
import { cursorDays, cursorOf, cursorText } from '#domain/sync/cursor.ts';
import type { Caller } from '#domain/users/types.ts';
import { audienceOf, audiencesOf, rowChangeRepo, tombstoneRepo } from '#store/postgres/sync/row-changes.ts';
import type { Audience, TombstoneKind } from '#store/postgres/sync/row-changes.ts';
import { deletionView, tombstonesSince } from '#domain/fields/deletion.ts';
import type { deletedRowSchema } from '#domain/fields/deletion.ts';
import type { ErrorTable } from '../../../errors.ts';
import type { Needs } from '../../../handler-context.ts';
import { maxWaitingPerAccount } from '../../../services/waiting.ts';
import type { Waiter } from '../../../services/waiting.ts';

/** Shorter than the 60 s after which many proxies close an idle connection. */
export const maxWaitSeconds = 50;
/** A snapshot lists every open transaction, at most one per database connection. */
export const maxCursorText = 8_000;
/** Changes per answer; a row may have several. */
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

export const changePageSchema = z.strictObject({
  changes: z.array(rowChangeSchema),
  cursor: z.string(),
  hasMore: z.boolean(),
});
export type ChangePage = z.input<typeof changePageSchema>;

export interface Listening extends Needs<'db' | 'clock' | 'waiting'> {
  /** Throws when the call would be refused now. */
  callerNow: () => Promise<Caller>;
  kinds: readonly SyncKind[] | null;
}

const read = async (
  { db, clock, kinds }: Listening,
  since: string | null,
  caller: Caller,
): Promise<ChangePage> => {
  const repo = rowChangeRepo(db);
  const now = clock.now();
  if (since === null) {
    const { source, now: seen } = await repo.position();
    return { changes: [], cursor: cursorText({ source, issuedAt: now, seen, page: null }), hasMore: false };
  }
  const known = cursorOf(since);
  if (!known)
    throw new DomainError(
      'INVALID_FIELD',
      { field: 'since' },
      'since is the cursor of an earlier answer, not a time.',
    );
  const found = await repo.since(known, audienceOf(caller), { kinds, limit: pageSize + 1 });
  if (found.source !== known.source || known.issuedAt < addSeconds(now, -cursorDays * 86_400))
    throw new DomainError('SINCE_TOO_OLD');
  const changes = found.changes.slice(0, pageSize);
  const last = changes.at(-1);
  const hasMore = found.changes.length > pageSize;
  // The last page repeats the time of the first one.
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

/** Reads the caller again after the changes: a session that has ended meanwhile gets nothing. */
const readInTurn = (listening: Listening, since: string, caller?: Caller): Promise<ChangePage> =>
  listening.waiting.inTurn(async () => {
    const page = await read(listening, since, caller ?? (await listening.callerNow()));
    if (page.changes.length > 0) await listening.callerNow();
    return page;
  });

/** A waiter for changes that concern this caller. Throws TOO_MANY_WAITING. */
const joined = async (
  { waiting }: Listening,
  audience: Audience,
  clientAborted: AbortSignal,
): Promise<Waiter> => {
  const waiter = await waiting.join(audience, clientAborted);
  if (!waiter) throw new DomainError('TOO_MANY_WAITING');
  return waiter;
};

/**
 * Changes since this cursor, waiting for one if there are none; without a cursor, the current position. Empty after
 * `waitMs`, when the client disconnects, and at shutdown.
 */
export const changesSince = async (
  listening: Listening,
  since: string | null,
  { waitMs, clientAborted }: { waitMs: number; clientAborted: () => AbortSignal },
): Promise<ChangePage> => {
  const untilMs = performance.now() + waitMs;
  const caller = await listening.callerNow();
  if (waitMs <= 0 || since === null) return read(listening, since, caller);
  const waiter = await joined(listening, audienceOf(caller), clientAborted());
  try {
    for (;;) {
      const page = await readInTurn(listening, since);
      if (page.changes.length > 0) return page;
      if (await waiter.changed(untilMs - performance.now())) continue;
      await listening.callerNow();
      return page;
    }
  } finally {
    waiter.leave();
  }
};

/** Streams share wake-ups, so that 10,000 of them wake the process four times a second instead of 400 times. */
const turnMs = 250;
/** Milliseconds to the next shared wake-up after this time. */
const untilTurn = (ms: number): number => {
  const endMs = performance.now() + ms;
  return ms + Math.ceil(endMs / turnMs) * turnMs - endMs;
};

/**
 * All changes from this cursor until the client disconnects or the process stops; null as a heartbeat after about
 * `heartbeatMs` without changes, without reading.
 */
export const follow = async function* follow(
  listening: Listening,
  since: string,
  { heartbeatMs, clientAborted }: { heartbeatMs: number; clientAborted: AbortSignal },
): AsyncGenerator<ChangePage | null> {
  const { waiting } = listening;
  let audience = audienceOf(await listening.callerNow());
  let waiter = await joined(listening, audience, clientAborted);
  try {
    for (let cursor = since, hasNews = true; !clientAborted.aborted && !waiting.isStopped();) {
      const caller = await listening.callerNow();
      const present = audienceOf(caller);
      if (audiencesOf(present).join() !== audiencesOf(audience).join()) {
        waiter.leave();
        audience = present;
        waiter = await joined(listening, audience, clientAborted);
        hasNews = true;
      }
      const page: ChangePage | null = hasNews ? await readInTurn(listening, cursor, caller) : null;
      cursor = page?.cursor ?? cursor;
      if (!page || page.changes.length > 0) yield page;
      hasNews = page?.hasMore === true || (await waiter.changed(untilTurn(heartbeatMs)));
    }
  } finally {
    waiter.leave();
  }
};

// What lists return about deleted rows with `includeDeleted`.

interface ListCall extends Needs<'db' | 'caller' | 'now'> {
  input: { includeDeleted?: boolean | null | undefined };
}

/** Empty unless requested. */
export const deletedRows = async (
  { db, caller, now, input }: ListCall,
  kind: TombstoneKind,
): Promise<{ deleted?: z.output<typeof deletedRowSchema>[] }> => {
  if (input.includeDeleted !== true) return {};
  const found = await tombstoneRepo(db).listed(kind, audienceOf(caller), tombstonesSince(now));
  const deleted = found.map(({ id, vaId, revision, ...deletion }) => ({
    id,
    ...(vaId === null ? {} : { vaId }),
    revision,
    ...deletionView(deletion),
  }));
  return { deleted };
};
