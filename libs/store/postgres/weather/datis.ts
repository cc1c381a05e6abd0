import { networkAItems, networkBItems } from '#domain/weather/datis.ts';
import type { NetworkAAtisRecord, NetworkBAtisRecord } from '#domain/weather/datis.ts';
import type { NetworkAAtis, NetworkBAtis } from '#domain/weather/schema.ts';
import { addSeconds } from '#domain/time.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** The ATIS of one airport, ready to be served; null: no controller is connected. */
export interface AirportDatis {
  networkA: NetworkAAtis[] | null;
  networkB: NetworkBAtis[] | null;
}

/**
 * A controller renews an ATIS at least every hour; one that was not confirmed for longer is not shown as
 * current.
 */
const longestUnconfirmedSeconds = 3_600;

/** The stored ATIS of one network. */
interface StoredDatis {
  network: 'A' | 'B';
  items: unknown;
  receivedAt: Date;
}

/** The current ATIS of an airport. */
export const currentDatis = (stored: readonly StoredDatis[], now: Date): AirportDatis => {
  const oldest = addSeconds(now, -longestUnconfirmedSeconds);
  const itemsOf = (network: 'A' | 'B') =>
    stored.find((row) => row.network === network && row.receivedAt > oldest)?.items ?? null;
  return {
    networkA: itemsOf('A') as NetworkAAtis[] | null,
    networkB: itemsOf('B') as NetworkBAtis[] | null,
  };
};

export const datisRepo = (db: ReadDb) => ({
  /** ATIS of these airports, regardless of age. */
  stored: (icaos: readonly string[]): Promise<(StoredDatis & { icao: string })[]> =>
    db.any<StoredDatis & { icao: string }>(
      sql`SELECT icao, network, items, received_at FROM datis WHERE icao = ANY(${icaos}::text[])`,
    ),

  /** Stored ATIS per network, for the guard. */
  counts: async (): Promise<{ A: number; B: number }> => {
    const rows = await db.any<{ network: 'A' | 'B'; n: number }>(
      sql`SELECT network, sum(jsonb_array_length(items))::int AS n FROM datis GROUP BY network`,
    );
    return { A: 0, B: 0, ...Object.fromEntries(rows.map(({ network, n }) => [network, n])) };
  },
});

const replaceNetwork = async (
  tx: Tx,
  network: 'A' | 'B',
  items: ReadonlyMap<string, unknown>,
  receivedAt: Date,
): Promise<number> => {
  const icaos = [...items.keys()];
  const removed = await tx.run(
    sql`DELETE FROM datis WHERE network = ${network} AND NOT icao = ANY(${icaos}::text[])`,
  );
  const written = await tx.run(sql`INSERT INTO datis AS d (network, icao, items, received_at)
    SELECT ${network}, u.icao, u.items::jsonb, ${receivedAt}
    FROM unnest(${icaos}::text[], ${[...items.values()].map((item) => JSON.stringify(item))}::text[])
      AS u (icao, items)
    ON CONFLICT (network, icao) DO UPDATE SET items = excluded.items, received_at = excluded.received_at
      WHERE d.items IS DISTINCT FROM excluded.items`);
  // Unchanged rows are confirmed: they stay current for another hour, but are not counted as written.
  await tx.run(sql`UPDATE datis SET received_at = ${receivedAt}
    WHERE network = ${network} AND received_at < ${receivedAt}`);
  return removed + written;
};

export const datisWrites = (tx: Tx) => ({
  /**
   * Replaces the whole set of each network that was read, so that an ATIS disappears with its controller;
   * null leaves a network unchanged. Returns how many airports are new, changed or removed; unchanged ones
   * are only confirmed.
   */
  store: async (
    networkA: readonly NetworkAAtisRecord[] | null,
    networkB: readonly NetworkBAtisRecord[] | null,
    receivedAt: Date,
    { isSimulated = false }: { isSimulated?: boolean } = {},
  ): Promise<number> => {
    const perAirport = <R extends { icao: string }>(
      records: readonly R[],
      itemsOf: (records: readonly R[]) => object[] | null,
    ): Map<string, unknown> =>
      new Map(
        [...Map.groupBy(records, ({ icao }) => icao)].map(([icao, own]) => {
          const items = itemsOf(own) ?? [];
          return [icao, isSimulated ? items.map((item) => ({ ...item, source: 'SIMULATED' })) : items];
        }),
      );
    const itemsA = networkA && perAirport(networkA, networkAItems);
    const itemsB = networkB && perAirport(networkB, networkBItems);
    const a = itemsA && (await replaceNetwork(tx, 'A', itemsA, receivedAt));
    const b = itemsB && (await replaceNetwork(tx, 'B', itemsB, receivedAt));
    return (a ?? 0) + (b ?? 0);
  },
});
