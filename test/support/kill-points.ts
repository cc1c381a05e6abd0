/**
 * Ends a "process" at any step of what it does to the database and the file store:
 *
 *   const steps = await killedAt(t, Infinity, (life) => save(life));   // how many there are
 *   await killedAt(t, 7, (life) => save(life));                        // nothing happens from the seventh step on
 *
 * Steps are the moments before and after every statement, commit, put and delete. What runs after the kill, such as
 * the rest of the code and its cleaning up, reaches neither database nor files.
 */
import type { Context } from '#data/context.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { FileStorage } from '#domain/ports.ts';

export class KilledError extends Error {
  override name = 'KilledError';
}

export interface Life extends Pick<Context, 'jobs' | 'clock' | 'log'> {
  prepare: Pick<Postgres, 'single'>;
  transaction: Postgres['transaction'];
  storage: FileStorage;
}

/** Runs work as a process that is killed at this step; returns the number of steps it reached. */
export const killedAt = async (
  { postgres, storage, jobs, clock, log }: Context,
  step: number,
  work: (life: Life) => Promise<unknown>,
): Promise<number> => {
  let reached = 0;
  let isDead = false;
  const pass = () => {
    if (!isDead) reached += 1;
    isDead ||= reached >= step;
    if (isDead) throw new KilledError(`killed at step ${reached}`);
  };
  /** The moments before and after an operation. */
  const around = async <T>(operation: () => Promise<T>): Promise<T> => {
    pass();
    const result = await operation();
    pass();
    return result;
  };
  const mortal = (tx: Tx): Tx => ({
    ...tx,
    any: (query) => around(() => tx.any(query)),
    maybe: (query) => around(() => tx.maybe(query)),
    one: (query) => around(() => tx.one(query)),
    values: (query) => around(() => tx.values(query)),
    value: (query) => around(() => tx.value(query)),
    valueOrNull: (query) => around(() => tx.valueOrNull(query)),
    exists: (query) => around(() => tx.exists(query)),
    run: (query) => around(() => tx.run(query)),
    // Wrapped, so that a killed process runs none.
    onCommit: (hook) => tx.onCommit(() => around(async () => hook())),
  });
  try {
    await work({
      jobs,
      clock,
      log,
      prepare: { single: (use) => around(() => postgres.single((tx) => use(mortal(tx)))) },
      transaction: (use) => around(() => postgres.transaction((tx) => use(mortal(tx)))),
      storage: {
        get: (key) => around(() => storage.get(key)),
        put: (key, bytes, type) => around(() => storage.put(key, bytes, type)),
        putFile: (key, path, type) => around(() => storage.putFile(key, path, type)),
        open: (key, range) => around(() => storage.open(key, range)),
        delete: (key) => around(() => storage.delete(key)),
        list: storage.list,
        sweep: storage.sweep,
      },
    });
  } catch (error) {
    // The code may have translated it.
    if (!isDead) throw error;
  }
  return reached;
};

/** Runs the work killed at every step in turn, each time in a new process; `check` follows each kill. */
export const killedEverywhere = async (
  context: Context,
  work: (life: Life) => Promise<unknown>,
  check: (step: number) => Promise<void>,
): Promise<number> => {
  for (let step = 1; ; step += 1) {
    const reached = await killedAt(context, step, work);
    await check(step);
    if (reached < step) return reached;
  }
};
