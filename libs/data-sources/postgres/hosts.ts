/**
 * Connections to the one of several servers that takes changes: each new one is made to it, so that a process finds the replica that was
 * promoted once its connections to the former primary are lost (ADR 185).
 */
import { callbackify } from 'node:util';
import pg from 'pg';
import type { ClientConfig } from 'pg';
import { addressesOf, hostsOf } from '#platform/config/database-url.ts';

const answerMs = 2_000;
/** Longer than a burst of new connections, shorter than a failover. */
const knownMs = 1_000;

const takesChanges = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"');
  return rows[0]?.isStandby === false;
};

/** Rejects when it does not answer, or takes no changes. */
const assertPrimary = async (address: string): Promise<string> => {
  const client = new pg.Client({
    connectionString: address,
    application_name: 'primary?',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  client.on('error', () => {
    // The question fails with it.
  });
  try {
    await client.connect();
    if (!(await takesChanges(client))) throw new Error('a standby');
    return address;
  } finally {
    await client.end();
  }
};

const none = (url: string, error: unknown): Error => {
  const reasons = error instanceof AggregateError ? error.errors : [error];
  const texts = reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason)));
  return new Error(`no server of ${hostsOf(url)} takes changes: ${texts.join(', ')}`, { cause: error });
};

const found = new Map<string, { atMs: number; address: Promise<string> }>();

/** The address of the server that takes changes. */
export const primaryOf = (url: string): Promise<string> => {
  const addresses = addressesOf(url);
  if (addresses.length < 2) return Promise.resolve(addresses[0] ?? url);
  const known = found.get(url);
  if (known && performance.now() - known.atMs < knownMs) return known.address;
  const address = Promise.any(addresses.map(assertPrimary)).catch((error: unknown) => {
    found.delete(url);
    throw none(url, error);
  });
  found.set(url, { atMs: performance.now(), address });
  return address;
};

const connectToPrimary = async (client: pg.Client, url: string, connect: () => Promise<unknown>) => {
  const { hostname, port } = new URL(await primaryOf(url));
  Object.assign(client, { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) });
  try {
    await connect();
    if (await takesChanges(client)) return;
    await client.end();
    throw none(url, new Error(`${hostname} has become a standby`));
  } catch (error) {
    found.delete(url);
    throw error;
  }
};

/** A class of clients that connect to the server of these that takes changes. */
const clientTo = (url: string): typeof pg.Client =>
  new Proxy(pg.Client, {
    construct: (target, [config]: [ClientConfig]) => {
      const client = new target(config);
      client.on('error', () => {
        // Lost while it is asked, before anyone else listens: the question fails with it, and pools cut what takes long.
      });
      const connect = client.connect.bind(client);
      const toPrimary = (callback?: (error: Error | null) => void): Promise<void> | undefined => {
        const connected = () => connectToPrimary(client, url, connect);
        if (!callback) return connected();
        callbackify(connected)(callback);
        return undefined;
      };
      return Object.assign(client, { connect: toPrimary });
    },
  });

/** What a pool needs to connect to this address. */
export const connectionTo = (url: string): { connectionString: string; Client?: typeof pg.Client } => {
  const [first = url, ...others] = addressesOf(url);
  return { connectionString: first, ...(others.length > 0 ? { Client: clientTo(url) } : {}) };
};

/** A client that is not connected yet. */
export const createClient = (url: string, config: Omit<ClientConfig, 'connectionString'> = {}): pg.Client => {
  const { connectionString, Client = pg.Client } = connectionTo(url);
  return new Client({ ...config, connectionString });
};
