/**
 * Long polling for row changes. One reader per process polls while anybody waits, and wakes those whom a change
 * concerns. It relies on no notification, so a change is found even if the writing process died right after its commit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#data/context.ts';
import { audiencesOf, everyVa, rowChangeRepo } from '#store/postgres/sync/row-changes.ts';
import type { Audience } from '#store/postgres/sync/row-changes.ts';
import { createTurns } from './uploads.ts';

export interface Waiter {
  /**
   * True if something may have changed since the last call or before the first; false after the timeout, an abort or
   * shutdown.
   */
  changed: (ms: number) => Promise<boolean>;
  leave: () => void;
}

/** Poll interval. */
const lookMs = 100;
export const maxWaitingPerAccount = 10;
const maxReads = 4;

/** Remembers whether a change has come since the last call of `changed`; one call may be pending. */
const createWakeup = () => {
  let isNotified = false;
  let isOver = false;
  let answer: (() => void) | undefined;
  return {
    wake: (): void => {
      isNotified = true;
      answer?.();
    },
    end: (): void => {
      isOver = true;
      answer?.();
    },
    changed: async (ms: number): Promise<boolean> => {
      if (!isNotified && !isOver && ms > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        answer = resolve;
        const timer = setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
      }
      const wasNotified = isNotified && !isOver;
      isNotified = false;
      return wasNotified;
    },
  };
};
type Wakeup = ReturnType<typeof createWakeup>;

export const createWaiting = ({ postgres, log }: Pick<Context, 'postgres' | 'log'>) => {
  const changes = rowChangeRepo(postgres.db);
  const wakeups = new Map<string, Set<Wakeup>>();
  const accounts = new Map<number, number>();
  const turns = createTurns(maxReads);
  const waiting = new Set<Wakeup>();
  let isStopped = false;
  let started: Promise<void> | undefined;

  const wake = (audiences: readonly string[]): void => {
    const woken = audiences.some((audience) => audience.startsWith('v'))
      ? [...audiences, everyVa]
      : audiences;
    for (const wakeup of new Set(woken.flatMap((audience) => [...(wakeups.get(audience) ?? [])])))
      wakeup.wake();
  };

  const look = async (from: string): Promise<void> => {
    let seen = from;
    let hasFailed = false;
    while (waiting.size > 0 && !isStopped) {
      await sleep(lookMs, undefined, { ref: false });
      try {
        const { now, audiences } = await changes.changedSince(seen);
        seen = now;
        hasFailed = false;
        wake(audiences);
      } catch (error) {
        if (!hasFailed && !isStopped)
          log.warn({ err: error }, 'changes cannot be read; waiting clients get them later');
        hasFailed = true;
      }
    }
    started = undefined;
  };

  /** Resolves once the reader knows its position. */
  const start = async (): Promise<void> => {
    const { now } = await changes.position();
    void look(now);
  };

  const leave = (audience: Audience, wakeup: Wakeup): void => {
    if (!waiting.delete(wakeup)) return;
    for (const name of audiencesOf(audience)) {
      const others = wakeups.get(name);
      others?.delete(wakeup);
      if (others?.size === 0) wakeups.delete(name);
    }
    const left = (accounts.get(audience.userId) ?? 1) - 1;
    if (left > 0) accounts.set(audience.userId, left);
    else accounts.delete(audience.userId);
  };

  /** True if the account has as many waiters as allowed. */
  const isFull = (userId: number): boolean => (accounts.get(userId) ?? 0) >= maxWaitingPerAccount;

  return {
    /** Changes committed after it resolves wake the waiter. Null if the account has as many as allowed. */
    join: async (audience: Audience, clientAborted: AbortSignal): Promise<Waiter | null> => {
      const { userId } = audience;
      if (isFull(userId)) return null;
      accounts.set(userId, (accounts.get(userId) ?? 0) + 1);
      const wakeup = createWakeup();
      waiting.add(wakeup);
      clientAborted.addEventListener('abort', wakeup.end);
      if (isStopped || clientAborted.aborted) wakeup.end();
      const leaves = (): void => {
        clientAborted.removeEventListener('abort', wakeup.end);
        leave(audience, wakeup);
      };
      for (const name of audiencesOf(audience))
        wakeups.set(name, (wakeups.get(name) ?? new Set()).add(wakeup));
      try {
        started ??= start();
        await started;
      } catch (error) {
        started = undefined;
        leaves();
        throw error;
      }
      return { changed: wakeup.changed, leave: leaves };
    },
    /** Limits concurrent reads, so that an announcement to all waiters leaves connections for other calls. */
    inTurn: async <T>(read: () => Promise<T>): Promise<T> => {
      const end = await turns.enter();
      try {
        return await read();
      } finally {
        end();
      }
    },
    count: () => waiting.size,
    isFull,
    isStopped: () => isStopped,
    /** Wakes all waiters and accepts no others. */
    stop: (): void => {
      isStopped = true;
      for (const wakeup of waiting) wakeup.end();
    },
  };
};
