/** What the transactions of a pool announce once they are committed. */
import type { Pool, PoolClient } from 'pg';
import type { Announcement, CacheChange } from '#domain/announcement.ts';

/** Of the messages by which a transaction says what it has changed of what caches hold (`tell_caches` in the migrations). */
const toldCode = '0EFB0';

export const createAnnouncing = () => {
  const hearers: ((message: Announcement) => void)[] = [];
  /** What the transaction of each connection has changed of what caches hold. */
  const told = new WeakMap<PoolClient, CacheChange[]>();
  const toAll = (message: Announcement): void => {
    for (const hear of hearers) hear(message);
  };
  return {
    hear: (hearer: (message: Announcement) => void): void => void hearers.push(hearer),
    toAll,
    watch: (pool: Pool): void =>
      void pool.on('connect', (client) => {
        client.on('notice', ({ code, message: kind = '', detail = '' }) => {
          if (code !== toldCode) return;
          const changes = told.get(client) ?? [];
          changes.push({ kind, ids: detail.split(' ') });
          told.set(client, changes);
        });
      }),
    /** Its transaction is committed. */
    announce: (client: PoolClient, messages: readonly Announcement[] = []): void => {
      const changes = told.get(client);
      told.delete(client);
      if (changes) toAll({ topic: 'changes', changes });
      messages.forEach(toAll);
    },
    /** Its transaction is rolled back, or nobody knows. */
    forget: (client: PoolClient): void => void told.delete(client),
  };
};
