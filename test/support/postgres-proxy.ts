/**
 * A proxy in front of Postgres that loses answers and connections:
 *
 *   const proxy = await postgresProxy(database.url);
 *   const lost = proxy.loseAnswerTo('COMMIT');  // the server does it, the client never hears of it
 *   await lost;                                 // resolves when it happened
 */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface PostgresProxy {
  /** Connection string through the proxy. */
  url: string;
  /**
   * Cuts the connection of the next statement with this text after the server has answered, before the client
   * receives it.
   */
  loseAnswerTo: (text: string) => Promise<void>;
  /** Existing connections stop transmitting but stay open, as after losing a machine; new ones work. */
  silence: () => void;
  /** Cuts every connection and refuses new ones while the work runs. */
  whileDown: (work: () => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
}

export const postgresProxy = async (serverUrl: string): Promise<PostgresProxy> => {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let awaited: { text: string; happened: () => void } | null = null;

  let isDown = false;
  const silenced = new WeakSet<Socket>();
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((client) => {
    if (isDown) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    let losing: (() => void) | null = null;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Expected: disconnecting is the purpose of this proxy.
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (chunk) => {
      if (silenced.has(client)) return;
      if (awaited && chunk.includes(awaited.text)) {
        losing = awaited.happened;
        awaited = null;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (silenced.has(upstream)) return;
      if (!losing) {
        client.write(chunk);
        return;
      }
      end();
      losing();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

  const url = new URL(serverUrl);
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    loseAnswerTo: (text) =>
      new Promise<void>((happened) => {
        awaited = { text, happened };
      }),
    silence: () => {
      for (const socket of sockets) silenced.add(socket);
    },
    whileDown: async (work) => {
      isDown = true;
      cutAll();
      try {
        await work();
      } finally {
        isDown = false;
      }
    },
    close: async () => {
      cutAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
