/** A primary with a replica under API processes of a benchmark. */
import { startPair } from '#test/support/replication.ts';
import type { Pair } from '#test/support/replication.ts';
import { benchSecrets } from './secrets.ts';
import { createStand } from './servers.ts';
import type { Stand } from './servers.ts';

export interface PairStand {
  pair: Pair;
  /** Its children use the primary; closes both servers. */
  stand: Stand;
  /** The address of both, of which the one that takes changes is meant. */
  severalUrl: string;
}

export const createPairStand = async (): Promise<PairStand> => {
  const pair = await startPair({ durable: true, encryptionKeys: [benchSecrets.ENCRYPTION_KEYS] });
  const { server, url } = pair.primary;
  const stand = await createStand({ url, pid: server.pid(), stop: pair.close });
  const hosts = [server, pair.replica.server].map(({ port }) => `127.0.0.1:${port}`);
  const severalUrl = `${url.replace(new URL(url).host, hosts.join())}?target_session_attrs=read-write`;
  return { pair, stand, severalUrl };
};

/** A call of the API; null when it was not answered at all. */
export const callApi = async (
  url: string,
  token: string,
  query: string,
  data: unknown,
): Promise<{ status: number; body: Record<string, unknown> } | null> => {
  try {
    const response = await fetch(`${url}/api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, data }),
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    // A connection that was cut: what the call did is not known.
    return null;
  }
};
