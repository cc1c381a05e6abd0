import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildAirports } from '#domain/airports/build.ts';
import type { RawAirport } from '#domain/airports/build.ts';
import type { RawRunway } from '#domain/airports/types.ts';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { runSql } from '#test/support/sql.ts';
import { statementsDuring } from '#test/support/statements.ts';
import { seedAirports } from '#operator/seed.ts';
import { airportsCsv } from '#test/support/airport-csv.ts';
import { readWorldAirports } from '#data/feeds/airports/import.ts';
import { runwayEndOf } from '#domain/airports/served.ts';
import { airportRepo, availableAirportRepo, icaoGroupRepo } from './airports.ts';
import { airportWrites } from './import.ts';
import { airportChangeRepo } from './changes.ts';
import { createPostgres } from '../pool.ts';
import type { Postgres } from '../pool.ts';
import { sql } from '../sql.ts';

const endOf = async (repo: ReturnType<typeof airportRepo>, icao: string, ident: string) => {
  const known = (await repo.known([icao])).get(icao);
  return known ? runwayEndOf(known, ident) : null;
};

const at = (day: number) => new Date(Date.UTC(2026, 8, day, 4, 30));

const runway = (low: string, high: string, change: Partial<RawRunway> = {}): RawRunway => {
  const end = (ident: string) => ({
    ident,
    latitudeDeg: null,
    longitudeDeg: null,
    elevationFt: null,
    headingTrueDeg: null,
    displacedThresholdFt: null,
  });
  return {
    lengthFt: 10_000,
    widthFt: 150,
    surfaceText: 'ASP',
    isLighted: true,
    isClosed: false,
    low: end(low),
    high: end(high),
    ...change,
  };
};

const raw = (icao: string, runways: RawRunway[], change: Partial<RawAirport> = {}): RawAirport => ({
  icao,
  formerIcaos: [],
  iata: icao.slice(1),
  name: `${icao} Field`,
  type: 'large',
  latitudeDeg: 50,
  longitudeDeg: 8,
  elevationFt: 364,
  country: 'DE',
  municipality: null,
  source: 'ourairports',
  runways,
  ...change,
});

const build = (list: RawAirport[]) => buildAirports(list, new Map(), at(1)).airports;

const open = async () => {
  const database = await createTestDatabase();
  const postgres = createPostgres(
    {
      connectionString: database.url,
      applicationName: 'test',
      max: 3,
      statementTimeoutMs: 60_000,
      waitMs: 60_000,
    },
    pino({ level: 'silent' }),
  );
  const store = (list: RawAirport[], day: number, force = false) =>
    postgres.transaction((tx) =>
      airportWrites(tx).storeImport(build(list), {
        source: 'ourairports',
        at: at(day),
        ...(force ? { refuse: () => undefined } : {}),
      }),
    );
  return { database, postgres, store };
};

describe('imports', () => {
  let database: TestDatabase;
  let postgres: Postgres;
  let store: Awaited<ReturnType<typeof open>>['store'];
  beforeAll(async () => {
    ({ database, postgres, store } = await open());
  });
  afterAll(async () => {
    await postgres.close();
    await database.drop();
  });

  const world = [raw('EDXA', [runway('6L', '24R'), runway('06R', '24L')]), raw('EDXB', [runway('18', '36')])];
  const repo = () => airportRepo(postgres.db);
  const changelog = () => airportChangeRepo(postgres.db).latest();

  test('A first import stores airports and runway ends without changelog entries', async () => {
    expect(await store(world, 1)).toEqual({
      airportsAdded: 2,
      airportsChanged: 0,
      airportsRemoved: 0,
      runwaysChanged: 2,
      changelog: 0,
      renamed: 0,
    });
    const airport = await repo().findByIcao('edxa');
    expect(airport?.ends.map((end) => end.ident)).toEqual(['06L', '06R', '24L', '24R']);
    expect(airport?.ends[0]).toMatchObject({
      publishedIdent: '6L',
      reciprocalIdent: '24R',
      lengthM: 3048,
      efpKind: 'std',
      macgPercent: 2.5,
      distances: { lda: { valueM: 3048, source: 'derived' } },
    });
    expect((await repo().mapAirports()).map(({ icao }) => icao)).toEqual(['EDXA', 'EDXB']);
    expect(await repo().findByIcao('EDXX')).toBeNull();
    expect(await changelog()).toEqual([]);
  });

  test('An unchanged import writes nothing', async () => {
    const before = await postgres.db.any(sql`SELECT xmin, ctid, * FROM airport ORDER BY icao`);
    const ends = await postgres.db.any(sql`SELECT xmin, ctid FROM runway_end ORDER BY icao, ident`);
    expect(await store(world, 2)).toMatchObject({ runwaysChanged: 0, airportsChanged: 0, changelog: 0 });
    expect(await postgres.db.any(sql`SELECT xmin, ctid, * FROM airport ORDER BY icao`)).toEqual(before);
    expect(await postgres.db.any(sql`SELECT xmin, ctid FROM runway_end ORDER BY icao, ident`)).toEqual(ends);
  });

  test('A changed runway is written and listed in the changelog', async () => {
    const shorter = [raw('EDXA', [runway('6L', '24R', { lengthFt: 9_000 }), runway('06R', '24L')]), world[1]];
    expect(
      await store(
        shorter.filter((a) => a !== undefined),
        3,
      ),
    ).toMatchObject({ runwaysChanged: 1, changelog: 1 });
    const [change] = await changelog();
    expect(change).toEqual({
      icao: 'EDXA',
      changedAt: at(3),
      runways: [
        { id: '06L', comment: 'length 3048 m to 2743 m' },
        { id: '24R', comment: 'length 3048 m to 2743 m' },
      ],
    });
    expect((await repo().findByIcao('EDXA'))?.updatedAt).toEqual(at(3));
    expect((await repo().findByIcao('EDXB'))?.updatedAt).toEqual(at(1));
  });

  test('A renamed runway keeps operator data and is found under the old name', async () => {
    await runSql(postgres)`
      INSERT INTO runway_operator (icao, ident, lda_m, efp_kind, efp_text, macg_percent, author, updated_at)
      VALUES ('EDXB', '18', 2500, 'custom', 'At D3 turn left', 4, 'ops', now())`;
    const renamed = [
      raw('EDXA', [runway('6L', '24R'), runway('06R', '24L')]),
      raw('EDXB', [runway('17', '35')]),
    ];
    expect(await store(renamed, 4)).toMatchObject({ renamed: 2 });
    const end = await endOf(repo(), 'EDXB', '18');
    expect(end).toMatchObject({
      ident: '17',
      efpKind: 'custom',
      macgPercent: 4,
      distances: { lda: { valueM: 2500, source: 'operator' }, tora: { source: 'derived' } },
    });
    const change = (await changelog()).find(({ icao }) => icao === 'EDXB');
    expect(change?.runways).toEqual([
      { id: '17', comment: 'renamed from 18' },
      { id: '35', comment: 'renamed from 36' },
    ]);
  });

  test('Statistics match the rows (M-2.12.d25)', async () => {
    expect(await repo().statistics()).toEqual({
      totalAirport: 2,
      totalRunways: 6,
      totalEfpStd: 5,
      totalEfpCustom: 1,
      totalObstacles: 0,
      totalCalculatedRwyExits: 0,
      totalIntx: 0,
      customMACG: 1,
      customRunwayExit: 0,
    });
  });

  test('Available airports have the length of their longest open runway', async () => {
    expect(await availableAirportRepo(postgres.db).list()).toEqual([
      {
        icao: 'EDXA',
        iata: 'DXA',
        name: 'EDXA Field',
        municipality: null,
        formerIcaos: [],
        longestRunwayM: 3048,
      },
      {
        icao: 'EDXB',
        iata: 'DXB',
        name: 'EDXB Field',
        municipality: null,
        formerIcaos: [],
        longestRunwayM: 3048,
      },
    ]);
    expect(await repo().mapAirports()).toHaveLength(2);
  });

  test('Each code of an airport finds the others, unless it is in use or was that of two airports', async () => {
    await runSql(postgres)`
      UPDATE airport SET former_icaos = CASE icao
        WHEN 'EDXA' THEN '{EDXB,EDYA,EDYC,EDYZ}'::text[] ELSE '{EDYB,EDYZ}' END`;
    const groups = await icaoGroupRepo(postgres.db).all();
    for (const code of ['EDXA', 'EDYA', 'EDYC']) expect(groups.get(code)).toEqual(['EDXA', 'EDYA', 'EDYC']);
    for (const code of ['EDXB', 'EDYB']) expect(groups.get(code)).toEqual(['EDXB', 'EDYB']);
    expect(groups.get('EDYZ')).toBeUndefined();
  });

  test('A loss of more than 2 % is refused, and stored with force', async () => {
    await expect(store([raw('EDXA', [runway('06R', '24L')])], 5)).rejects.toThrow(
      'Airport import refused: airports fell from 2 to 1 (50.0 % lost, 2 % allowed): nothing was stored.',
    );
    expect(await repo().mapAirports()).toHaveLength(2);
    expect(await store([raw('EDXA', [runway('06R', '24L')])], 5, true)).toMatchObject({ airportsRemoved: 1 });
    expect((await repo().mapAirports()).map(({ icao }) => icao)).toEqual(['EDXA']);
    expect(await postgres.db.any(sql`SELECT 1 FROM runway_end WHERE icao = 'EDXB'`)).toEqual([]);
  });

  test('The changelog has the last 20 changes, newest first (M-2.12.d23)', async () => {
    for (let i = 0; i < 25; i += 1) {
      await store([raw('EDXA', [runway('06R', '24L', { lengthFt: 8_000 + i * 10 })])], 6 + i / 100, true);
    }
    const log = await changelog();
    expect(log).toHaveLength(20);
    expect(log[0]?.runways[0]?.comment).toBe('length 2509 m to 2512 m');
    expect(log.map((row) => row.changedAt.getTime())).toEqual(
      log.map((row) => row.changedAt.getTime()).toSorted((a, b) => b - a),
    );
  });
});

describe('the worldwide set', () => {
  const data = sharedData('airports/ourairports');
  // An import replaces the seed only if it has as many airports, so the reduced set is filled up under unused codes.
  const fillerCount = 17_000;
  const letter = (n: number) => String.fromCodePoint(65 + (Math.floor(n) % 26));
  const fillerAirports = Array.from({ length: fillerCount }, (_, i) => ({
    id: 9_000_000 + i,
    icao: `Q${letter(i / 676)}${letter(i / 26)}${letter(i)}`,
  }));
  const fillers = Buffer.from(airportsCsv(fillerAirports).split('\n').slice(1).join('\n'));
  test('The worldwide set replaces the seed in a few statements, and importing it again writes nothing', async () => {
    const { database, postgres } = await open();
    const store = (airports: Awaited<ReturnType<typeof readWorldAirports>>) =>
      postgres.transaction((tx) =>
        airportWrites(tx).storeImport(airports.airports, { source: airports.source, at: at(10) }),
      );
    const repo = airportRepo(postgres.db);
    try {
      const seeded = await seedAirports(postgres, at(10));
      expect(seeded).toBeGreaterThan(7_000);
      expect(await repo.mapAirports()).toHaveLength(seeded);
      const counted = await postgres.db.any<{ rows: number }>(sql`
        SELECT reltuples::integer AS rows FROM pg_class WHERE oid IN ('airport'::regclass, 'runway_end'::regclass)`);
      for (const { rows } of counted) expect(rows).toBeGreaterThanOrEqual(seeded);
      const world = await readWorldAirports(
        {
          airports: Buffer.concat([
            data.bytes('airports-2026-08-07.csv.gz'),
            data.either(Buffer.of(), fillers),
          ]),
          runways: data.bytes('runways-2026-08-22.csv.gz'),
        },
        at(10),
      );
      // The number of statements does not depend on the number of airports, so the import takes seconds.
      const statements = await statementsDuring(async () => {
        const stored = await store(world);
        // Airports of the seed without an ICAO code are removed.
        expect(stored.airportsRemoved).toBeGreaterThan(500);
        expect(stored.changelog).toBe(0);
      });
      expect(statements.length).toBeLessThan(50);
      expect(world.airports).toHaveLength(data.either(10_445, 14 + fillerCount));
      expect(world.rejects.orphan).toBe(data.either(28, 1));

      expect(await store(world)).toEqual({
        airportsAdded: 0,
        airportsChanged: 0,
        airportsRemoved: 0,
        runwaysChanged: 0,
        changelog: 0,
        renamed: 0,
      });
      expect(await seedAirports(postgres, at(10))).toBe(0);
      const left = await postgres.db.any(sql`SELECT 1 FROM airport
        WHERE source = 'ourairports_seed' AND removed_at IS NULL`);
      expect(left).toEqual([]);

      const ldaFt = async (icao: string, ident: string) =>
        Math.round(((await endOf(repo, icao, ident))?.distances.lda.valueM ?? 0) / 0.3048);
      expect(await ldaFt('KJFK', '22R')).toBe(7_795);
      expect(await ldaFt('KJFK', '04L')).toBe(11_010);
      expect(await ldaFt('KDTW', '09R')).toBe(6_787);
      const klax = await repo.findByIcao('KLAX');
      expect(klax?.ends.map((end) => end.ident)).toEqual([
        '06L',
        '06R',
        '07L',
        '07R',
        '24L',
        '24R',
        '25L',
        '25R',
      ]);
      expect((await endOf(repo, 'KLAS', '08L'))?.lengthM).toBeCloseTo(14_835 * 0.3048, 0);
      const statistics = await repo.statistics();
      expect(statistics.totalEfpStd + statistics.totalEfpCustom).toBe(statistics.totalRunways);
      expect(await repo.mapAirports()).toHaveLength(statistics.totalAirport);
    } finally {
      await postgres.close();
      await database.drop();
    }
  });
});
