/** What the transactions of a pool announce once they are committed. */
import type { Pool, PoolClient } from 'pg';
import type { Announcement } from '#domain/announcement.ts';

/** Of the message by which a transaction says that it has changed what caches hold (`tell_caches` in the migrations). */
const toldCode = '0EFB0';

export const createAnnouncing = () => {
  const hearers: ((message: Announcement) => void)[] = [];
  /** Connections whose transaction has changed what caches hold. */
  const telling = new WeakSet<PoolClient>();
  const toAll = (message: Announcement): void => {
    for (const hear of hearers) hear(message);
  };
  return {
    hear: (hearer: (message: Announcement) => void): void => void hearers.push(hearer),
    toAll,
    watch: (pool: Pool): void =>
      void pool.on('connect', (client) => {
        client.on('notice', ({ code }) => {
          if (code === toldCode) telling.add(client);
        });
      }),
    /** Its transaction is committed. */
    announce: (client: PoolClient, messages: readonly Announcement[] = []): void => {
      if (telling.delete(client)) toAll({ topic: 'changes' });
      messages.forEach(toAll);
    },
    /** Its transaction is rolled back, or nobody knows. */
    forget: (client: PoolClient): void => void telling.delete(client),
  };
};
