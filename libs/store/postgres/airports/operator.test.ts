import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAirports } from '#domain/airports/build.ts';
import type { RawRunway } from '#domain/airports/types.ts';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { importOperatorCsv } from '#commands/airports.ts';
import { exportOperatorExits, exportOperatorRunways } from '#data/feeds/airports/operator-csv.ts';
import { runwayEndOf } from '#domain/airports/served.ts';
import { airportRepo, availableAirportRepo } from './airports.ts';
import { airportWrites } from './import.ts';
import { airportChangeRepo } from './changes.ts';
import { airportOperatorRepo, airportOperatorWrites } from './operator.ts';
import { createPostgres } from '../pool.ts';
import type { Postgres } from '../pool.ts';
import { sql } from '../sql.ts';

let database: TestDatabase;
let postgres: Postgres;
const at = new Date('2026-09-01T00:00:00Z');
const author = { author: 'ops', at };

const runway = (low: string, high: string, lengthFt = 10_000): RawRunway => {
  const end = (ident: string) => ({
    ident,
    latitudeDeg: null,
    longitudeDeg: null,
    elevationFt: null,
    headingTrueDeg: null,
    displacedThresholdFt: null,
  });
  return {
    lengthFt,
    widthFt: 150,
    surfaceText: 'ASP',
    isLighted: true,
    isClosed: false,
    low: end(low),
    high: end(high),
  };
};

const importWorld = (runways: RawRunway[]) => {
  const { airports } = buildAirports(
    [
      {
        icao: 'EDXA',
        formerIcaos: [],
        iata: null,
        name: 'Field',
        type: 'large',
        latitudeDeg: 50,
        longitudeDeg: 8,
        elevationFt: 0,
        country: 'DE',
        municipality: null,
        source: 'ourairports',
        runways,
      },
    ],
    new Map(),
    at,
  );
  return postgres.transaction((tx) =>
    airportWrites(tx).storeImport(airports, { source: 'ourairports', at, refuse: () => undefined }),
  );
};

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = createPostgres(
    {
      connectionString: database.url,
      applicationName: 'test',
      max: 3,
      statementTimeoutMs: 60_000,
      waitMs: 60_000,
    },
    pino({ level: 'silent' }),
  );
  await importWorld([runway('7L', '25R')]);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const known = async () => (await airportRepo(postgres.db).known(['EDXA'])).get('EDXA');
const end = async (ident: string) => {
  const airport = await known();
  return airport ? runwayEndOf(airport, ident) : null;
};
const operator = () => airportOperatorRepo(postgres.db);
const importCsv = (text: string) =>
  postgres.transaction((tx) => importOperatorCsv(tx, Buffer.from(text), author));

test('An entry overrides the import and is logged, and an equal one changes nothing', async () => {
  const set = () =>
    postgres.transaction((tx) =>
      airportOperatorWrites(tx).setRunway(
        {
          icao: 'edxa',
          ident: '7l',
          ldaM: 2_600,
          efpKind: 'custom',
          efpText: 'At D3, left turn',
          macgPercent: 4,
        },
        author,
      ),
    );
  expect(await set()).toBe(true);
  expect(await set()).toBe(false);
  expect(await end('07L')).toMatchObject({
    distances: { lda: { valueM: 2600, source: 'operator' }, tora: { valueM: 3048, source: 'derived' } },
    efpKind: 'custom',
    efpText: 'At D3, left turn',
    macgPercent: 4,
  });
  expect((await airportChangeRepo(postgres.db).latest())[0]?.runways).toEqual([
    {
      id: '07L',
      comment: 'operator: LDA 2600 m, custom engine-failure procedure, missed-approach climb 4 %',
    },
  ]);
});

test('An entry persists through every import, even if the runway changes', async () => {
  await importWorld([runway('7L', '25R', 9_000)]);
  expect(await end('07L')).toMatchObject({
    lengthM: 2743.2,
    distances: { lda: { valueM: 2600, source: 'operator' } },
  });
  await importWorld([runway('18', '36')]);
  expect((await operator().orphans()).map(({ icao, ident, kind }) => [icao, ident, kind])).toEqual([
    ['EDXA', '07L', 'runway'],
  ]);
  await importWorld([runway('7L', '25R')]);
  expect(await operator().orphans()).toEqual([]);
  expect((await end('07L'))?.distances.lda).toEqual({ valueM: 2600, source: 'operator' });
});

test('From CSV valid rows are stored and invalid ones reported, and the export reads back unchanged', async () => {
  const result = await importCsv(
    [
      'icao,ident,tora_m,lda_m,closed,efp,efp_text,macg_percent',
      'EDXA,25R,2900,2800,,,,3.3',
      'EDXA,7L,,2600,,custom,"At D3, left turn",4',
      'EDXA,09,,2600,,,,',
      'EDXA,25R,50,,,,,',
      'EDXA,25R,abc,,,,,',
      'EDXA,25R,,,maybe,,,',
      'EDXA,25R,,,,custom,,',
      'X,25R,,,,,,',
      '',
    ].join('\n'),
  );
  expect(result).toMatchObject({ kind: 'runways', rows: 8, stored: 1 });
  expect(result.rejects.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8, 9]);
  expect(result.rejects.map(({ reason }) => reason).join('\n')).toMatch(
    /EDXA has no runway 09, but 07L, 25R\.[\s\S]*at least 100[\s\S]*neither yes nor no[\s\S]*needs efp_text[\s\S]*three letters or digits/,
  );
  expect((await end('25R'))?.distances).toMatchObject({
    tora: { valueM: 2900, source: 'operator' },
    lda: { valueM: 2800, source: 'operator' },
    asda: { source: 'derived' },
  });
  const text = exportOperatorRunways(await operator().runways());
  expect(text.split('\n')).toHaveLength(4);
  expect(await importCsv(text)).toEqual({ kind: 'runways', rows: 2, stored: 0, rejects: [] });
});

test('An empty row removes the entry', async () => {
  expect(await importCsv('icao,ident,lda_m\nEDXA,25R,\n')).toMatchObject({ stored: 1 });
  expect((await end('25R'))?.distances.lda.source).toBe('derived');
  expect(await operator().runways('EDXA')).toHaveLength(1);
});

test('An operator’s exit replaces the computed one with the same name, and a hidden one hides it', async () => {
  await runSql(postgres)`
    INSERT INTO runway_exit (icao, ident, name, source, side, distance_m, angle_deg, updated_at)
    VALUES ('EDXA', '07L', 'B', 'osm', 'left', 1500, 90, now()), ('EDXA', '07L', 'C', 'osm', 'left', 1800, 30, now())`;
  expect(
    await importCsv(
      'icao,ident,name,side,distance_m,angle_deg,hidden\nEDXA,7L,b,right,1600,45,\nEDXA,7L,C,,0,,yes\n',
    ),
  ).toEqual({ kind: 'exits', rows: 2, stored: 2, rejects: [] });
  expect((await known())?.exits).toEqual([
    { ident: '07L', name: 'B', source: 'operator', side: 'right', distanceM: 1600, angleDeg: 45 },
  ]);
  expect(await airportRepo(postgres.db).statistics()).toMatchObject({
    totalCalculatedRwyExits: 2,
    customRunwayExit: 2,
  });
  const text = exportOperatorExits(await operator().exits('EDXA'));
  expect(await importCsv(text)).toMatchObject({ rows: 2, stored: 0, rejects: [] });
  const remove = () =>
    postgres.transaction((tx) => airportOperatorWrites(tx).removeExit('EDXA', '07L', 'C', at));
  expect(await remove()).toBe(true);
  expect(await remove()).toBe(false);
  expect((await known())?.exits.map((exit) => exit.name)).toEqual(['B', 'C']);
});

test('A runway closed by the operator is no longer counted, with immediate effect', async () => {
  const list = () => availableAirportRepo(postgres.db).list();
  expect(await list()).toEqual([
    { icao: 'EDXA', iata: null, name: 'Field', municipality: null, formerIcaos: [], longestRunwayM: 3048 },
  ]);
  await importCsv('icao,ident,closed\nEDXA,7L,yes\nEDXA,25R,yes\n');
  expect(await list()).toEqual([]);
  expect((await airportRepo(postgres.db).statistics()).totalRunways).toBe(0);
  await importCsv('icao,ident,closed\nEDXA,7L,\nEDXA,25R,\n');
  expect(await list()).toHaveLength(1);
});

test('A renamed runway keeps its exits, a removed one loses its computed ones', async () => {
  await runSql(postgres)`DELETE FROM runway_exit`;
  await runSql(postgres)`
    INSERT INTO runway_exit (icao, ident, name, source, side, distance_m, angle_deg, updated_at)
    VALUES ('EDXA', '07L', 'B', 'osm', 'left', 1500, 90, now()), ('EDXA', '25R', 'B', 'osm', 'left', 1500, 90, now()),
      ('EDXA', '07L', 'X', 'operator', 'left', 1700, 90, now()), ('EDXA', '08L', 'X', 'operator', 'left', 1900, 90, now())`;
  await importWorld([runway('8L', '26R')]);
  const rows = async () =>
    (
      await postgres.db.any<{ key: string }>(sql`
      SELECT ident || ' ' || name || ' ' || source AS key FROM runway_exit ORDER BY 1`)
    ).map((row) => row.key);
  expect(await rows()).toEqual(['07L X operator', '08L B osm', '08L X operator', '26R B osm']);
  await importWorld([runway('18', '36')]);
  expect(await rows()).toEqual(['07L X operator', '08L X operator']);
});

test('Any file that is not an operator file is refused as a whole', async () => {
  await expect(importCsv('a,b\n1,2\n')).rejects.toThrow('has no column icao, ident');
});
