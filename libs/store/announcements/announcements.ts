/** What commits of one process announce to the others: outside of their transactions, in batches. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Announcement } from '#domain/announcement.ts';
import { applicationName } from '../postgres/processes.ts';
import { createListener } from '../postgres/listen.ts';
import type { Postgres } from '../postgres/pool.ts';
import { sql } from '../postgres/sql.ts';

type Topic = Announcement['topic'];

export interface Announcements {
  /** Calls back for announcements of all processes, those of this one at once; a lost one is nobody's second chance. */
  on: (topic: Topic, listener: (id: string) => void) => void;
  /** Sends what was announced, and ends. */
  close: () => Promise<void>;
}

/** How announcements reach other processes. */
export interface Channel {
  send: (text: string) => Promise<unknown>;
  /** Returns what ends the listening. */
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
  // It writes nothing, so that its commit waits for no flush.
  send: (text) => db.one(sql`SELECT pg_notify(${postgresChannel}, ${text})`),
  listen: (onText) => {
    const handlers = { [postgresChannel]: onText };
    const name = `${applicationName(application)} listener`;
    return createListener({ connectionString, applicationName: name, handlers, log }).close;
  },
  close: () => Promise.resolve(),
});

/** Between the beginnings of two messages, however many commits there are. */
const restMs = 10;
/** A notification has room for 8,000 bytes. */
const announcementsAtOnce = 100;

/** Announcements over this channel of what transactions of `postgres` announce. */
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

/** Through Redis where there is one, else through the database. */
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
