import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

interface Listener {
  close: () => Promise<void>;
}

interface ListenerOptions {
  connectionString: string;
  applicationName: string;
  channel: string;
  onNotification: (payload: string) => void;
  log: Logger;
  /** Interval of a probe; after as long again without an answer the connection counts as lost. */
  heartbeatMs?: number;
}

const pauseMs = 500;

/**
 * A dedicated connection that LISTENs on a channel and reconnects indefinitely. A network that drops packets silently
 * shows only in unanswered queries, so one is sent every `heartbeatMs`.
 */
export const createListener = ({
  connectionString,
  applicationName,
  channel,
  onNotification,
  log,
  heartbeatMs = 5_000,
}: ListenerOptions): Listener => {
  const closing = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { ref: false, signal: closing.signal });

  /** Until the connection is lost. */
  const listen = async (client: pg.Client): Promise<never> => {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    for (;;) {
      await client.query('SELECT 1');
      await pause(heartbeatMs);
    }
  };

  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const client = new pg.Client({
        connectionString,
        application_name: applicationName,
        keepAlive: true,
        connectionTimeoutMillis: 2_000,
        query_timeout: heartbeatMs,
      });
      client.on('notification', ({ payload }) => onNotification(payload ?? ''));
      const lost = Promise.withResolvers<never>();
      client.on('error', lost.reject);
      client.on('end', () => lost.reject(new Error('ended')));
      await Promise.race([listen(client), lost.promise]).catch((error: unknown) => {
        if (!closing.signal.aborted) log.debug({ err: error }, 'listener lost its connection');
      });
      await client.end().catch((error: unknown) => log.debug({ err: error }, 'ending a lost listener'));
      await pause(pauseMs).catch(() => undefined);
    }
  };
  const following = follow();

  return {
    close: async () => {
      closing.abort();
      await following;
    },
  };
};
