/**
 * Calls that wait for changes of rows. One reader per process, that reads only while somebody waits, wakes those whom new
 * changes concern; it needs no notification, so that a change is heard however its process ended after the commit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#data/context.ts';
import { audiencesOf, everyVa, rowChangeRepo } from '#store/postgres/sync/row-changes.ts';
import type { Audience } from '#store/postgres/sync/row-changes.ts';
import { createTurns } from './uploads.ts';

export interface Waiter {
  /** True when something may have changed since the last call, also before this one; false after the time, the signal or the end of the process. */
  changed: (ms: number) => Promise<boolean>;
  leave: () => void;
}

/** Between two looks at the changes. */
const lookMs = 100;
export const maxWaitingPerAccount = 10;
const maxReads = 4;

/** Whether a change has come since the last call of `changed`, of which one may be pending. */
const createWakeup = (gone: AbortSignal) => {
  let isTold = false;
  let isOver = gone.aborted;
  let isDisposed = false;
  let answer: (() => void) | undefined;
  const end = (): void => {
    isOver = true;
    answer?.();
  };
  gone.addEventListener('abort', end);
  return {
    end,
    wake: (): void => {
      isTold = true;
      answer?.();
    },
    changed: async (ms: number): Promise<boolean> => {
      if (!isTold && !isOver && ms > 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          answer = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      answer = undefined;
      const wasTold = isTold && !isOver;
      isTold = false;
      return wasTold;
    },
    /** False when it was before. */
    dispose: (): boolean => {
      gone.removeEventListener('abort', end);
      const isFirst = !isDisposed;
      isDisposed = true;
      return isFirst;
    },
  };
};
type Wakeup = ReturnType<typeof createWakeup>;

export const createWaiting = ({ postgres, log }: Pick<Context, 'postgres' | 'log'>) => {
  const changes = rowChangeRepo(postgres.db);
  const wakeups = new Map<string, Set<Wakeup>>();
  const accounts = new Map<number, number>();
  const turns = createTurns(maxReads);
  let waiting = 0;
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
    while (waiting > 0 && !isStopped) {
      await sleep(lookMs, undefined, { ref: false });
      try {
        const { now, audiences } = await changes.toldSince(seen);
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

  /** Resolves when the reader has a position. */
  const start = async (): Promise<void> => {
    const { now } = await changes.position();
    void look(now);
  };

  const leave = (audience: Audience, wakeup: Wakeup): void => {
    if (!wakeup.dispose()) return;
    for (const name of audiencesOf(audience)) {
      const others = wakeups.get(name);
      others?.delete(wakeup);
      if (others?.size === 0) wakeups.delete(name);
    }
    const left = (accounts.get(audience.userId) ?? 1) - 1;
    if (left > 0) accounts.set(audience.userId, left);
    else accounts.delete(audience.userId);
    waiting -= 1;
  };

  /** True when the account has as many as it may have. */
  const isFull = (userId: number): boolean => (accounts.get(userId) ?? 0) >= maxWaitingPerAccount;

  return {
    /** Changes that are committed after it resolves wake the waiter. Null: the account has as many as it may have. */
    join: async (audience: Audience, gone: AbortSignal): Promise<Waiter | null> => {
      const { userId } = audience;
      if (isFull(userId)) return null;
      accounts.set(userId, (accounts.get(userId) ?? 0) + 1);
      waiting += 1;
      const wakeup = createWakeup(gone);
      for (const name of audiencesOf(audience))
        wakeups.set(name, (wakeups.get(name) ?? new Set()).add(wakeup));
      if (isStopped) wakeup.end();
      try {
        started ??= start();
        await started;
      } catch (error) {
        started = undefined;
        leave(audience, wakeup);
        throw error;
      }
      return { changed: wakeup.changed, leave: () => leave(audience, wakeup) };
    },
    /** Runs few of these reads at once, so that an announcement to all who wait leaves connections for others. */
    inTurn: async <T>(read: () => Promise<T>): Promise<T> => {
      const end = await turns.enter();
      try {
        return await read();
      } finally {
        end();
      }
    },
    count: () => waiting,
    isFull,
    isStopped: () => isStopped,
    /** From now on nobody waits. */
    stop: (): void => {
      isStopped = true;
      for (const wakeup of new Set([...wakeups.values()].flatMap((names) => [...names]))) wakeup.end();
    },
  };
};

export type Waiting = ReturnType<typeof createWaiting>;
