import pg from 'pg';
import type { Logger } from 'pino';

export interface Listener {
  /** False while the connection is down or silent: cached data must not be trusted then. */
  readonly isConnected: () => boolean;
  close: () => Promise<void>;
}

/** Interval of a probe; without an answer before the next one the connection counts as lost. */
const defaultBeatMs = 5_000;

/**
 * A dedicated connection that LISTENs on channels and reconnects indefinitely. `onLost` runs when notifications
 * may have been missed. A network that swallows packets shows only in questions without an answer, so the
 * connection is asked every `beatMs`.
 */
export const createListener = (
  connectionString: string,
  handlers: Readonly<Record<string, (payload: string) => void>>,
  onLost: () => void,
  log: Logger,
  beatMs = defaultBeatMs,
): Listener => {
  let client: pg.Client | undefined;
  let connected = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let isAsking = false;

  const lost = (reason: string) => {
    if (closed || (!connected && retry)) return;
    connected = false;
    onLost();
    log.debug({ reason }, 'listener lost its connection');
    const dead = client;
    client = undefined;
    // The connection is already lost; ending it only frees the socket.
    dead?.end().catch((error: unknown) => log.debug({ err: error }, 'ending a lost listener'));
    retry = setTimeout(() => {
      retry = undefined;
      void connect();
    }, 500);
  };

  const connect = async () => {
    const next = new pg.Client({
      connectionString,
      application_name: 'listener',
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
    next.on('notification', ({ channel, payload }) => handlers[channel]?.(payload ?? ''));
    try {
      await next.connect();
      for (const channel of Object.keys(handlers))
        await next.query(`LISTEN ${next.escapeIdentifier(channel)}`);
      // Notifications between the first query of the process and this LISTEN were missed.
      onLost();
      isAsking = false;
      connected = true;
    } catch (error) {
      if (client === next) lost(error instanceof Error ? error.message : String(error));
    }
  };
  void connect();

  const ask = async (asked: pg.Client) => {
    isAsking = true;
    try {
      await asked.query('SELECT 1');
      if (asked === client) isAsking = false;
    } catch (error) {
      if (asked === client) lost(error instanceof Error ? error.message : String(error));
    }
  };
  const beat = setInterval(() => {
    if (!connected || !client) return;
    const asked = client;
    if (!isAsking) void ask(asked);
    // After a long pause of this process the answer may have arrived but not been read.
    else
      setImmediate(() => {
        if (isAsking && asked === client) lost(`no answer for ${beatMs} ms`);
      });
  }, beatMs);
  beat.unref();

  return {
    isConnected: () => connected,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      clearInterval(beat);
      await client?.end();
    },
  };
};
