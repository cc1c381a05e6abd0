/** Announces the commits of one process to the others, in batches and outside the transactions. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Announcement } from '#store/postgres/sql.ts';
import { applicationName } from '../postgres/processes.ts';
import { createListener } from '../postgres/listen.ts';
import type { Postgres } from '../postgres/pool.ts';
import { sql } from '../postgres/sql.ts';

type Topic = Announcement['topic'];

export interface Announcements {
  /** Calls back for announcements of all processes, for its own at once. Lost announcements are not repeated. */
  on: (topic: Topic, listener: (id: string) => void) => void;
  /** Sends pending announcements and stops. */
  close: () => Promise<void>;
}

const channel = 'announced';
/** Least interval between the starts of two messages, regardless of the number of commits. */
const restMs = 10;
/** Postgres limits a notification to 8,000 bytes. */
const announcementsAtOnce = 100;

/** Announces what transactions of `postgres` announce. */
export const createAnnouncements = (
  connectionString: string,
  application: string,
  { db, onAnnouncement }: Pick<Postgres, 'db' | 'onAnnouncement'>,
  log: Logger,
): Announcements => {
  const own = randomUUID();
  const listeners = new Map<string, ((id: string) => void)[]>();
  const pending = new Set<string>();
  let sending: Promise<void> | null = null;
  let listening: ReturnType<typeof createListener> | undefined;
  let hasFailed = false;
  let isClosed = false;

  const deliver = (text: string): void => {
    const [topic = '', id = ''] = text.split(' ');
    for (const listener of listeners.get(topic) ?? []) listener(id);
  };

  const send = async (): Promise<void> => {
    while (pending.size > 0) {
      const began = performance.now();
      const batch = [...pending].slice(0, announcementsAtOnce);
      for (const text of batch) pending.delete(text);
      try {
        // Read only, so that its commit does not wait for a flush.
        await db.one(sql`SELECT pg_notify(${channel}, ${[own, ...batch].join('\n')})`);
        hasFailed = false;
      } catch (error) {
        if (!hasFailed)
          log.warn({ err: error }, 'jobs and pictures cannot be announced: others find them a little later');
        hasFailed = true;
      }
      const leftMs = restMs - (performance.now() - began);
      if (leftMs > 0 && !isClosed) await sleep(leftMs);
    }
    sending = null;
  };

  onAnnouncement((message) => {
    const text = `${message.topic} ${message.id}`;
    deliver(text);
    pending.add(text);
    sending ??= send();
  });

  const onNotification = (text: string): void => {
    const [sender, ...texts] = text.split('\n');
    if (sender !== own) texts.forEach(deliver);
  };

  return {
    on: (topic, listener) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
      listening ??= createListener({
        connectionString,
        applicationName: `${applicationName(application)} listener`,
        channel,
        onNotification,
        log,
      });
    },
    close: async () => {
      isClosed = true;
      await listening?.close();
      await sending;
    },
  };
};
