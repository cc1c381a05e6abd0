/** `navdataSearch` over HTTP with 150,000 points, against a bare request. */
import { navdataRepo } from '#data/postgres/navdata/navdata.ts';
import { navdataWrites } from '#data/postgres/navdata/import.ts';
import { benchKey, benchUsers } from './support/accounts.ts';
import { benchPostgres, compare } from './support/latency.ts';
import { identOf, navPoints } from './support/nav-points.ts';
import { createStand } from './support/servers.ts';

const rows = 150_000;
const requests = 3_000;
const barMs = 5;
export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    const postgres = benchPostgres(stand);
    const tokens = await benchUsers(stand, postgres);
    const started = performance.now();
    const set = {
      source: 'xplane_fix' as const,
      cycle: null,
      points: navPoints(rows),
      airways: [],
      rejects: [],
    };
    await postgres.transaction((tx) => navdataWrites(tx).store(set, { at: new Date() }));
    const counts = await navdataRepo(postgres.db).counts();
    console.log(
      `  ${counts[0]?.points ?? 0} points stored in ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
    await postgres.close();
    const { url } = await stand.start('apps/api/main.ts');
    const body = (data: object) => JSON.stringify({ query: 'navdataSearch', dev_key: benchKey, data });
    const kinds: [string, (i: number) => object][] = [
      ['prefix of two, limit 50', (i) => ({ ident: identOf(i).slice(0, 2) })],
      ['prefix of one, limit 200', (i) => ({ ident: identOf(i).slice(0, 1), limit: 200 })],
      ['exact', (i) => ({ ident: identOf(i + 1), exact: true })],
    ];
    for (const [name, data] of [['warm-up', kinds[0]?.[1]] as const, ...kinds])
      await compare(name, url, { count: requests, barMs, tokens, bodyOf: (i) => body(data?.(i) ?? {}) });
  } finally {
    await stand.close();
  }
};
