import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { sql } from './sql.ts';
import type { ReadDb } from './sql.ts';

export interface Listener {
  /** False while the connection is down, silent, or delivers no notifications. */
  readonly isConnected: () => boolean;
  close: () => Promise<void>;
}

export interface ListenerOptions {
  connectionString: string;
  applicationName: string;
  /** Sends marks, on other connections: behind a pooler the one that listens may hear only itself. */
  db: ReadDb;
  /** By channel. */
  handlers: Readonly<Record<string, (payload: string) => void>>;
  log: Logger;
  /** Interval of a probe; without an answer after as long again the connection counts as lost. */
  heartbeatMs?: number;
}

const markChannel = 'listener_mark';
const notificationsLost =
  'notifications do not arrive: DATABASE_URL leads through a pooler that shares connections between sessions; give the address of the server itself';

/**
 * A dedicated connection that LISTENs on channels and reconnects indefinitely. A network that swallows packets shows only
 * in questions without an answer, a pooler only in marks that are not heard, so both are tried every `heartbeatMs`.
 */
export const createListener = ({
  connectionString,
  applicationName,
  db,
  handlers,
  log,
  heartbeatMs = 5_000,
}: ListenerOptions): Listener => {
  let client: pg.Client | undefined;
  let connected = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const marks = new Map<string, () => void>();
  const channels: typeof handlers = { ...handlers, [markChannel]: (mark) => marks.get(mark)?.() };

  const lost = (reason: string) => {
    if (closed || (!connected && retry)) return;
    connected = false;
    log[reason === notificationsLost ? 'error' : 'debug']({ reason }, 'listener lost its connection');
    const dead = client;
    client = undefined;
    // The connection is already lost; ending it only frees the socket.
    dead?.end().catch((error: unknown) => log.debug({ err: error }, 'ending a lost listener'));
    retry = setTimeout(() => {
      retry = undefined;
      void connect();
    }, 500);
  };

  /** True when it resolves in time. After a long pause of this process the answer may have arrived but not been read. */
  const isInTime = async (answer: Promise<unknown>): Promise<boolean> => {
    let isThere = false;
    const answered = answer.then(() => {
      isThere = true;
    });
    await Promise.race([answered, sleep(heartbeatMs, undefined, { ref: false })]);
    if (!isThere) await nextTurn();
    return isThere;
  };

  /** False when a mark does not arrive that was sent. */
  const delivers = async (): Promise<boolean> => {
    const mark = randomUUID();
    const heard = new Promise<void>((resolve) => {
      marks.set(mark, resolve);
    });
    try {
      await db.one(sql`SELECT pg_notify(${markChannel}, ${mark})`);
      return await isInTime(heard);
    } finally {
      marks.delete(mark);
    }
  };

  const deliversOrUnknown = (): Promise<boolean> =>
    delivers().catch((error: unknown) => {
      log.debug({ err: error }, 'a mark could not be sent');
      return true;
    });

  const watch = async (watched: pg.Client): Promise<void> => {
    for (;;) {
      await sleep(heartbeatMs, undefined, { ref: false });
      if (watched !== client) return;
      if (!(await isInTime(watched.query('SELECT 1')))) throw new Error(`no answer for ${heartbeatMs} ms`);
      if (!(await deliversOrUnknown())) throw new Error(notificationsLost);
    }
  };

  const connect = async () => {
    const next = new pg.Client({
      connectionString,
      application_name: applicationName,
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
    });
    client = next;
    next.on('error', (error) => {
      if (client === next) lost(error.message);
    });
    next.on('end', () => {
      if (client === next) lost('ended');
    });
    next.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''));
    try {
      await next.connect();
      for (const channel of Object.keys(channels))
        await next.query(`LISTEN ${next.escapeIdentifier(channel)}`);
      if (!(await delivers())) throw new Error(notificationsLost);
      connected = client === next;
      await watch(next);
    } catch (error) {
      if (client === next) lost(error instanceof Error ? error.message : String(error));
    }
  };
  void connect();

  return {
    isConnected: () => connected,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
};
