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

/** The transport of announcements between processes. */
export interface Channel {
  send: (text: string) => Promise<unknown>;
  /** Returns a function that stops listening. */
  listen: (onText: (text: string) => void) => () => Promise<unknown>;
  close: () => Promise<unknown>;
}

interface AnnouncementsConfig {
  DATABASE_URL: string;
  REDIS_URL?: string | undefined;
}

const postgresChannel = 'announced';

const overPostgres = (
  connectionString: string,
  application: string,
  { db }: Postgres,
  log: Logger,
): Channel => ({
  // Read only, so that its commit does not wait for a flush.
  send: (text) => db.one(sql`SELECT pg_notify(${postgresChannel}, ${text})`),
  listen: (onText) => {
    const handlers = { [postgresChannel]: onText };
    const name = `${applicationName(application)} listener`;
    return createListener({ connectionString, applicationName: name, handlers, log }).close;
  },
  close: () => Promise.resolve(),
});

/** Least interval between the starts of two messages, regardless of the number of commits. */
const restMs = 10;
/** Postgres limits a notification to 8,000 bytes. */
const announcementsAtOnce = 100;

/** Announces over this channel what transactions of `postgres` announce. */
const announceOver = (
  channel: Channel,
  postgres: Pick<Postgres, 'onAnnouncement'>,
  log: Logger,
): Announcements => {
  const own = randomUUID();
  const listeners = new Map<string, ((id: string) => void)[]>();
  const pending = new Set<string>();
  let sending: Promise<void> | null = null;
  let stopListening: (() => Promise<unknown>) | undefined;
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
        await channel.send([own, ...batch].join('\n'));
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

  postgres.onAnnouncement((message) => {
    const text = `${message.topic} ${message.id}`;
    deliver(text);
    pending.add(text);
    sending ??= send();
  });

  return {
    on: (topic, listener) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
      stopListening ??= channel.listen((text) => {
        const [sender, ...texts] = text.split('\n');
        if (sender !== own) texts.forEach(deliver);
      });
    },
    close: async () => {
      isClosed = true;
      await stopListening?.();
      await sending;
      await channel.close();
    },
  };
};

/** Through Redis if configured, otherwise through the database. */
export const createAnnouncements = async (
  config: AnnouncementsConfig,
  application: string,
  postgres: Postgres,
  log: Logger,
): Promise<Announcements> => {
  if (config.REDIS_URL === undefined)
    return announceOver(overPostgres(config.DATABASE_URL, application, postgres, log), postgres, log);
  // Only a service with a Redis loads its modules.
  const { overRedis } = await import('./redis-channel.ts');
  return announceOver(overRedis(config.REDIS_URL, log), postgres, log);
};
