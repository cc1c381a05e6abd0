import pg from 'pg';
import type { Logger } from 'pino';

export interface Listener {
  /** False while the connection is down: what was cached must not be trusted then. */
  readonly isConnected: () => boolean;
  close: () => Promise<void>;
}

/**
 * A dedicated connection that LISTENs on channels and reconnects for ever. `onLost` runs when
 * notifications may have been missed.
 */
export const createListener = (
  connectionString: string,
  handlers: Readonly<Record<string, (payload: string) => void>>,
  onLost: () => void,
  log: Logger,
): Listener => {
  let client: pg.Client | undefined;
  let connected = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const lost = (reason: string) => {
    if (closed || (!connected && retry)) return;
    connected = false;
    onLost();
    log.debug({ reason }, 'listener lost its connection');
    const dead = client;
    client = undefined;
    // The connection is gone already; ending it only frees the socket.
    dead?.end().catch((error: unknown) => log.debug({ err: error }, 'ending a lost listener'));
    retry = setTimeout(() => {
      retry = undefined;
      void connect();
    }, 500);
  };

  const connect = async () => {
    const next = new pg.Client({ connectionString, application_name: 'listener', keepAlive: true });
    client = next;
    next.on('error', (error) => lost(error.message));
    next.on('end', () => {
      if (client === next) lost('ended');
    });
    next.on('notification', ({ channel, payload }) => handlers[channel]?.(payload ?? ''));
    try {
      await next.connect();
      for (const channel of Object.keys(handlers))
        await next.query(`LISTEN ${next.escapeIdentifier(channel)}`);
      // Whatever happened between the first query of the process and this LISTEN was not heard.
      onLost();
      connected = true;
    } catch (error) {
      lost(error instanceof Error ? error.message : String(error));
    }
  };
  void connect();

  return {
    isConnected: () => connected,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
};
