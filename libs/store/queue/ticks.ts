import { setTimeout as sleep } from 'node:timers/promises';
import { untilNextMinute, claimOf } from '#domain/schedule/claims.ts';
import type { Slot, Claim } from '#domain/schedule/claims.ts';
import { slotAt } from '../schedule/slots.ts';
import type { Logger } from 'pino';
import type { Clock } from '#domain/time.ts';
import type { Postgres } from '../postgres/pool.ts';
import type { Tx } from '../postgres/sql.ts';
import { sql } from '../postgres/sql.ts';

export const tickWrites = (tx: Tx) => ({
  /**
   * Claims the slot `at` of a schedule at the time `now`. Checks of the same schedule take turns, so that
   * only one of several processes finds it due.
   */
  claim: async (name: string, at: Date, now: Date): Promise<Claim> => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tick:${name}`}, 0))`);
    const last = await tx.maybe<Slot>(sql`SELECT slot AS at, round FROM tick WHERE name = ${name}`);
    const claim = claimOf(last, at, now);
    if (claim.kind === 'known' || claim.kind === 'ahead') return claim;
    await tx.run(sql`INSERT INTO tick (name, slot, round) VALUES (${name}, ${claim.slot.at}, ${claim.slot.round})
      ON CONFLICT (name) DO UPDATE SET slot = excluded.slot, round = excluded.round`);
    return claim;
  },
});

export interface Tick {
  /** Unique name. */
  name: string;
  /** Five cron fields, UTC. */
  cron: string;
  /** Enqueues the work of one slot, in the transaction that claims it. */
  enqueue: (tx: Tx, slot: Slot) => Promise<unknown>;
}

interface Parts {
  clock: Clock;
  log: Logger;
  postgres: Postgres;
}

/** Waits, by a monotonic clock; ends early with the signal. */
type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

const waitFor: Wait = (ms, signal) =>
  sleep(ms, null, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

/** Enqueues the slot of each schedule at the current time, unless that has been done. */
const createLook = ({ clock, log, postgres }: Parts, ticks: readonly Tick[]): (() => Promise<void>) => {
  /** Slots already checked, to spare the database. */
  const settled = new Map<string, number>();
  const look = async ({ name, cron, enqueue }: Tick) => {
    const now = clock.now();
    const at = slotAt(cron, now);
    if (settled.get(name) === at.getTime()) return;
    const { kind } = await postgres.transaction(async (tx) => {
      const claim = await tickWrites(tx).claim(name, at, now);
      if (claim.kind === 'due') await enqueue(tx, claim.slot);
      return claim;
    });
    if (kind === 'back') log.warn({ tick: name, slot: at }, 'the clock has gone back');
    if (kind !== 'ahead') settled.set(name, at.getTime());
  };
  return async () => {
    for (const tick of ticks) {
      try {
        await look(tick);
      } catch (error) {
        log.warn({ tick: tick.name, err: error }, 'tick could not be enqueued; the next look will retry');
      }
    }
  };
};

/**
 * Starts the ticks, which only enqueue: the clock is checked now and at every full minute, at most a minute
 * apart even when the clock is set. Slots that were missed run once, not once each. Returns a function that
 * stops them.
 */
export const startTicks = (parts: Parts, ticks: readonly Tick[], wait = waitFor): (() => Promise<void>) => {
  const stop = new AbortController();
  const look = createLook(parts, ticks);
  const looking = (async () => {
    while (!stop.signal.aborted) {
      await look();
      if (!stop.signal.aborted) await wait(untilNextMinute(parts.clock.now()), stop.signal);
    }
  })();
  return async () => {
    stop.abort();
    await looking;
  };
};
