import type { Pool } from 'pg';

type Exclusive = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** `Postgres.exclusive`: a lock of the server, held by one connection of the pool while the work runs. */
export const createExclusive =
  (locking: Pool, translate: (error: unknown) => unknown, unlockFailed: (error: Error) => void): Exclusive =>
  async (key, work) => {
    const client = await locking.connect().catch((error: unknown) => {
      throw translate(error);
    });
    let broken: Error | undefined;
    const query = async (text: string) => {
      try {
        await client.query({ text, values: [key] });
      } catch (error) {
        broken = error instanceof Error ? error : new Error(String(error));
        throw translate(error);
      }
    };
    try {
      await query('SELECT pg_advisory_lock(hashtextextended($1, 0))');
      return await work();
    } finally {
      // A lost connection no longer has the lock; one that is dropped loses it.
      if (!broken) await query('SELECT pg_advisory_unlock(hashtextextended($1, 0))').catch(unlockFailed);
      client.release(broken);
    }
  };
