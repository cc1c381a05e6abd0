import { Client } from 'pg';
import type { QueryConfig } from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { NavPoint, NavdataSet } from '#domain/navdata/types.ts';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { readNavdata } from '#data/feeds/navdata/read.ts';
import { navdataRepo, navdataWrites } from './navdata.ts';
import { createPostgres } from '../pool.ts';
import type { Postgres } from '../pool.ts';
import { sql } from '../sql.ts';

let database: TestDatabase;
let postgres: Postgres;
const august = new Date('2026-08-20T12:00:00Z');

const open = async () => {
  const db = await createTestDatabase();
  const pg = createPostgres(
    { connectionString: db.url, applicationName: 'test', max: 3, statementTimeoutMs: 60_000, waitMs: 60_000 },
    pino({ level: 'silent' }),
  );
  return { db, pg };
};

beforeAll(async () => {
  ({ db: database, pg: postgres } = await open());
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** Pages that Postgres reads for the statement that `work` sends. */
const pagesRead = async (url: string, work: () => Promise<unknown>): Promise<number> => {
  const query = vi.spyOn(Client.prototype, 'query');
  await work();
  const sent = query.mock.calls.map(([statement]: readonly unknown[]) => statement as QueryConfig);
  query.mockRestore();
  const client = new Client({ connectionString: url });
  await client.connect();
  const { text = '', values = [] } = sent.find(({ text: each }) => each?.includes('navdata_point')) ?? {};
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    values,
  );
  await client.end();
  const { Plan: plan } = rows[0]?.['QUERY PLAN'][0] ?? { Plan: {} };
  return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
};

const point = (ident: string, change: Partial<NavPoint> = {}): NavPoint => ({
  ident,
  name: ident,
  band: 'point',
  frequencyMhz: null,
  latitudeDeg: 50,
  longitudeDeg: 8,
  region: 'ED',
  ...change,
});

const set = (points: NavPoint[], change: Partial<NavdataSet> = {}): NavdataSet => ({
  source: 'xplane_fix',
  cycle: '2608',
  points,
  airways: [],
  rejects: [],
  ...change,
});

const store = (data: NavdataSet, at = august, force = false) =>
  postgres.transaction((tx) =>
    navdataWrites(tx).store(data, { at, ...(force ? { refuse: () => undefined } : {}) }),
  );
const search = (ident: string, options: { exact?: boolean; limit?: number; at?: Date } = {}) =>
  navdataRepo(postgres.db).search({ ident, exact: false, limit: 50, at: august, ...options });
const idents = async (...args: Parameters<typeof search>) => (await search(...args)).map((row) => row.ident);

const first = [
  point('AB'),
  point('ABB', { latitudeDeg: 52 }),
  point('ABB', { latitudeDeg: 51 }),
  point('ABCDE'),
  point('AC'),
];

describe('search', () => {
  test('Idents match by prefix or exactly, ordered by ident, then position (M-4.7.q7c, M-4.7.q7e)', async () => {
    expect(await store(set(first))).toEqual({ added: 5, changed: 0, removed: 0, airwayPoints: 0 });
    expect(await idents('AB')).toEqual(['AB', 'ABB', 'ABB', 'ABCDE']);
    expect((await search('ABB')).map((row) => row.latitudeDeg)).toEqual([51, 52]);
    expect(await search('A\u0000')).toEqual([]);
    expect(await idents('AB', { exact: true })).toEqual(['AB']);
    expect(await idents('AB', { limit: 2 })).toEqual(['AB', 'ABB']);
    expect(await idents('ZZ')).toEqual([]);
    expect((await search('AB', { exact: true }))[0]).toMatchObject({
      frequencyMhz: null,
      airway: null,
      cycle: '2608',
      cyclePeriod: '2026-08-06/2026-09-03',
    });
  });

  test('Loading the same file again writes nothing, and a change writes only that point', async () => {
    const rows = () => postgres.db.any(sql`SELECT xmin, ctid FROM navdata_point ORDER BY id`);
    const before = await rows();
    expect(await store(set(first))).toEqual({ added: 0, changed: 0, removed: 0, airwayPoints: 0 });
    expect(await rows()).toEqual(before);
    expect(await store(set([...first.slice(0, 4), point('AC', { name: 'New name' })]))).toMatchObject({
      changed: 1,
    });
    expect((await search('AC'))[0]?.name).toBe('New name');
  });

  test('The next cycle is loaded early and takes effect at 00:00 UTC', async () => {
    const next = [...first.slice(0, 4), point('ADNEW')];
    expect(await store(set(next, { cycle: '2609' }))).toMatchObject({ added: 5 });
    expect(await idents('A')).toEqual(['AB', 'ABB', 'ABB', 'ABCDE', 'AC']);
    expect(await idents('A', { at: new Date('2026-09-02T23:59:59Z') })).toContain('AC');
    const after = await search('A', { at: new Date('2026-09-03T00:00:00Z') });
    expect(after.map((row) => row.ident)).toEqual(['AB', 'ABB', 'ABB', 'ABCDE', 'ADNEW']);
    expect(new Set(after.map((row) => row.cycle))).toEqual(new Set(['2609']));
    await expect(store(set(first))).rejects.toThrow('older than the one already loaded');
  });

  test('A loss of more than half, in total or of one kind, is refused, and stored with force', async () => {
    const small = set([point('AB')], { cycle: '2609' });
    await expect(store(small)).rejects.toThrow('fell from 5 to 1 points');
    expect(await store(small, august, true)).toMatchObject({ removed: 4 });
    const many = Array.from({ length: 100 }, (_, i) => point(`P${i}`));
    await store(set(many, { cycle: '2609' }));
    const few = set(many.slice(0, 49), { cycle: '2609' });
    await expect(store(few)).rejects.toThrow('xplane_fix fell from 100 to 49 points');
    expect(await store(set(many.slice(0, 50), { cycle: '2609' }))).toMatchObject({ removed: 50 });
    await store(set(many, { cycle: '2609' }));
    expect(await store(few, august, true)).toMatchObject({ removed: 51 });
    const mixed = [...few.points, point('VORA', { band: 'vhf', frequencyMhz: 113.6 })];
    await store(set(mixed, { cycle: '2609' }));
    await expect(store(few)).rejects.toThrow('xplane_fix fell from 1 to 0 VHF navaids');
  });
});

test('Airways of a family are joined by region or by position', async () => {
  const navaids = set(
    [
      point('TST', { band: 'vhf', frequencyMhz: 113.6, latitudeDeg: 50, longitudeDeg: 8, region: 'ED' }),
      point('TST', { band: 'vhf', frequencyMhz: 113.6, latitudeDeg: -50, longitudeDeg: 8, region: 'NZ' }),
    ],
    { source: 'faa_nav' },
  );
  await store(navaids);
  const airways = set([], {
    source: 'faa_awy',
    airways: [
      { airway: 'J2', ident: 'TST', region: 'ED', latitudeDeg: null, longitudeDeg: null },
      { airway: 'J1', ident: 'TST', region: null, latitudeDeg: 50.001, longitudeDeg: 8.001 },
      { airway: 'J1', ident: 'TST', region: 'ED', latitudeDeg: null, longitudeDeg: null },
    ],
  });
  await store(airways);
  expect((await search('TST')).map((row) => row.airway)).toEqual([null, 'J1,J2']);
  const byIdent = { airway: 'V9', ident: 'TST', region: null, latitudeDeg: null, longitudeDeg: null };
  await store({ ...airways, airways: [...airways.airways, byIdent] });
  expect((await search('TST')).map((row) => row.airway)).toEqual(['V9', 'J1,J2,V9']);
});

test('Each place has one row, since the better source hides the other (M-2.12.n11)', async () => {
  const near = point('TST', {
    band: 'vhf',
    frequencyMhz: 113.6,
    latitudeDeg: 50.004,
    longitudeDeg: 8.003,
    region: null,
  });
  const far = { ...near, latitudeDeg: 10 };
  await store(
    set([near, far, point('TST', { band: 'lf', frequencyMhz: 0.4, latitudeDeg: 50.01 }), point('TST')], {
      source: 'ourairports',
      cycle: null,
    }),
  );
  const rows = await search('TST', { exact: true });
  expect(rows.map((row) => [row.latitudeDeg, row.frequencyMhz, row.cycle])).toEqual([
    [-50, 113.6, '2608'],
    [10, 113.6, null],
    [50, 113.6, '2608'],
    [50.01, 0.4, null],
  ]);
  expect(rows[1]?.cyclePeriod).toBeNull();
});

/** As many points as a large country has, with idents of five letters in every part of the alphabet but AABB. */
const manyPoints = (): NavPoint[] => {
  const letter = (n: number) => String.fromCodePoint(65 + (n % 26));
  return Array.from({ length: 60_000 }, (_, i) =>
    point([i, i / 26, i / 676, i / 17_576, i / 7].map((n) => letter(Math.floor(n))).join(''), {
      latitudeDeg: -60 + (i % 1_200) / 10,
    }),
  ).filter(({ ident }) => !ident.startsWith('AABB'));
};

describe('recorded source files', () => {
  test('In the FAA and OurAirports files AABBZ and LAX are found, and a search reads only a few pages', async () => {
    const data = sharedData('airports');
    const { db, pg } = await open();
    try {
      const files = [
        'ourairports/navaids-2026-08-22.csv.gz',
        'faa-nasr/fixes-2026-04-16.json.gz',
        'faa-nasr/navaids-2026-04-16.json.gz',
        'faa-nasr/airways-2026-04-16.json.gz',
      ];
      for (const name of files) {
        const read = readNavdata(data.bytes(name));
        await pg.transaction((tx) => navdataWrites(tx).store(read, { at: august }));
      }
      // A table as large as the real one, so that the benefit of an index shows.
      if (!data.isWhole)
        await pg.transaction((tx) => navdataWrites(tx).store(set(manyPoints()), { at: august }));
      const repo = navdataRepo(pg.db);
      const [aabbz] = await repo.search({ ident: 'AABB', exact: false, limit: 50, at: august });
      expect(aabbz).toMatchObject({
        ident: 'AABBZ',
        latitudeDeg: 37.8735,
        longitudeDeg: -86.308711,
        cycle: '2604',
      });
      const lax = await repo.search({ ident: 'LAX', exact: true, limit: 50, at: august });
      expect(lax.map((row) => row.frequencyMhz)).toEqual([113.6]);
      expect(lax[0]?.airway?.split(',').length).toBeGreaterThan(20);
      const { pages } = await pg.db.one<{ pages: number }>(
        sql`SELECT (pg_relation_size('navdata_point') / 8192)::int AS pages`,
      );
      const read: number[] = [];
      for (const ident of ['A', 'M', 'Z', 'AB', 'LA', 'QX'])
        read.push(
          await pagesRead(db.url, () => repo.search({ ident, exact: false, limit: 200, at: august })),
        );
      // An index finds the points; a table scan would read all pages.
      expect(Math.max(...read)).toBeLessThan(pages / 10);
    } finally {
      await pg.close();
      await db.drop();
    }
  });
});
