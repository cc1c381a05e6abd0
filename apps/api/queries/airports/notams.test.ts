import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { airportOsmWrites } from '#store/postgres/airports/osm.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';

let api: TestApi;
let user: TestUser;

const notam = (number: string, code: string, text: string, schedule = '') =>
  `${number} NOTAMN\nQ) KZNY/${code}/IV/NBO/A/000/999/4038N07346W005\nA) KJFK B) 2609010000 C) 2612280000${schedule}\nE) ${text}\n\n`;

const texts =
  notam('A0001/26', 'QMRLC', 'RWY 13L/31R CLSD') +
  notam('A0002/26', 'QMDCH', 'RWY 04L DECLARED DISTANCES CHANGED: LDA 2500M') +
  notam('A0003/26', 'QMRLC', 'RWY 04R/22L CLSD', '\nD) 2200-0500');

/** At Boston: two NOTAM that change 04R together, and a closure that has not begun. */
const atBoston = (number: string, code: string, text: string, from = '2609010000', to = '2612280000') =>
  `${number} NOTAMN\nQ) KZBW/${code}/IV/NBO/A/000/999/4222N07100W005\nA) KBOS B) ${from} C) ${to}\nE) ${text}\n\n`;
const bostonTexts =
  atBoston('A0010/26', 'QMDCH', 'RWY 04R DECLARED DISTANCES CHANGED: LDA 2500M') +
  atBoston('A0011/26', 'QMTCM', 'RWY 04R THR DISPLACED 200M') +
  atBoston('A0012/26', 'QMRLC', 'RWY 09/27 CLSD', '2609161800', '2609162000') +
  atBoston('A0013/26', 'QMXLC', 'TWY N2 CLSD', '2609010000', '2609162200');

/** Distances from the threshold of each runway end; 15R has no exit N2. */
const exitsAtBoston = [
  { ident: '04R', name: 'N1', side: 'left', distanceM: 1600, angleDeg: 30 },
  { ident: '04R', name: 'N2', side: 'left', distanceM: 2000, angleDeg: 90 },
  { ident: '15R', name: 'Q', side: 'left', distanceM: 1900, angleDeg: 90 },
] as const;

interface Runway {
  ident: string;
  isClosed: boolean;
  lda: { value: number };
  notams: { id: string; notam: string; isClosed: boolean; lda: number | null; text: string }[];
}

const runways = async (data: Record<string, unknown> = { icao: 'KJFK' }): Promise<Runway[]> => {
  const { body } = await api.call('airport', { token: user.token, data });
  return (body['airport'] as { runways: Runway[] }).runways;
};
const runway = async (ident: string) => {
  const found = (await runways()).find((each) => each.ident === ident);
  if (!found) throw new Error(`no runway ${ident}`);
  return found;
};
const land = (id: string, more: Record<string, unknown> = {}, token = user.token) =>
  api.call('performance', {
    token,
    data: {
      requestType: 'LANDING',
      landingMode: 'inflight',
      units: { distance: 'meter' },
      aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
      airport: 'KJFK',
      runway: id,
      weight: { landingWeight: 60_000 },
      ...more,
    },
  });
const closedCount = async () => {
  const { body } = await api.call('airportStatus');
  return (body['airportDatabaseStatus'] as { statistics: { runwayClosedByNotam: number } }).statistics
    .runwayClosedByNotam;
};

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  await api.grant(user, 'EFB_PRO_M');
  await importAirports(api.context, ['KJFK', 'KBOS']);
  const { records, rejects } = parseNotamTexts(texts + bostonTexts);
  if (records.length !== 7 || rejects.length > 0) throw new Error(JSON.stringify(rejects));
  const options = { source: 'test', now: api.context.clock.now(), isComplete: true };
  await api.context.postgres.transaction((tx) => notamWrites(tx).store(records, options));
  const exits = { exits: [...exitsAtBoston], intersections: [], idents: [] };
  await api.context.postgres.transaction((tx) => airportOsmWrites(tx).storeExits('KBOS', exits, options.now));
});
afterAll(() => api.close());

describe('NOTAM in the airport answer', () => {
  test('The airport has closed runway ends, variants with changed distances, and a NOTAM whose schedule is inactive', async () => {
    const closed = (await runways()).filter((each) => each.isClosed).map((each) => each.ident);
    expect(closed).toEqual(['13L', '31R']);
    expect(await closedCount()).toBe(2);
    const { notams } = await runway('04L');
    expect(notams).toMatchObject([
      { id: expect.stringMatching(/^04L\.N\d+$/) as string, notam: 'A0002/26', isClosed: false, lda: 2500 },
    ]);
    expect((await runway('04R')).notams).toMatchObject([{ notam: 'A0003/26', isClosed: true, lda: null }]);
    expect((await runway('22R')).notams).toEqual([]);
    api.context.clock.set('2026-09-16T23:00:00Z');
    expect((await runway('04R')).isClosed).toBe(true);
    expect(await closedCount()).toBe(4);
    api.context.clock.set('2026-09-16T12:00:00Z');
  });
});

describe('performance with a NOTAM variant', () => {
  test('The variant reduces the distance and reports it; the plain runway warns (M-4.7.p12)', async () => {
    const { lda, notams } = await runway('04L');
    const plain = await land('04L');
    expect(plain.body).toMatchObject({ performance: { isNOTAM: false, lda: Math.floor(lda.value) } });
    expect(plain.body['caution']).toContainEqual(
      expect.stringMatching(/^NOTAM A0002\/26 in force, not in this calculation: /) as string,
    );
    const inFeet = await land('04L', { units: { distance: 'feet' } });
    expect(inFeet.body['caution']).toContainEqual(
      expect.stringMatching(/^NOTAM A0002.*2500 m \(8203 ft\)/) as string,
    );
    const reduced = await land(notams[0]?.id ?? '');
    expect(reduced.body).toMatchObject({
      performance: { isNOTAM: true, lda: 2500, runwayIdent: notams[0]?.id },
    });
    expect(reduced.body['caution']).not.toContainEqual(expect.stringMatching(/A0002/) as string);
  });

  test('A subscription without NOTAM calculates without them, even under a variant’s id', async () => {
    const { notams } = await runway('04L');
    const free = await api.user();
    const calling = (id: string) => land(id, {}, free.token);
    const plain = await calling('04L');
    expect(plain).toMatchObject({
      status: 200,
      body: { performance: { noticesInForce: [{ runway: null, missingFeature: 'notam', lda: 2500 }] } },
    });
    const { body } = await api.call('airport', { token: free.token, data: { icao: 'KJFK' } });
    expect((body['airport'] as { runways: Runway[] }).runways.flatMap((each) => each.notams)).not.toEqual([]);
    expect(JSON.stringify([plain.body, body])).not.toMatch(/\d[LCR]?\.N\d/);
    expect(await calling(notams[0]?.id ?? '')).toMatchObject({
      status: 403,
      body: { error: { code: 'FEATURE_NOT_IN_SUBSCRIPTION' }, feature: 'notam', field: 'runway' },
    });
  });

  test('A closed runway is refused while its closure is in force, its variant always, and so are unknown NOTAM numbers', async () => {
    expect(await land('13L')).toMatchObject({ status: 404, body: { error: { code: 'RUNWAY_CLOSED' } } });
    expect((await land('04R')).status).toBe(200);
    const { notams } = await runway('04R');
    expect(await land(notams[0]?.id ?? '')).toMatchObject({ body: { error: { code: 'RUNWAY_CLOSED' } } });
    for (const id of ['04L.N9999', '22R.N1', '04L/A.N1'])
      expect(await land(id)).toMatchObject({ status: 404, body: { error: { code: 'RUNWAY_NOT_FOUND' } } });
  });
});

describe('NOTAM at the time of arrival', () => {
  test('A runway id with a NOTAM that has ended or not yet begun gets a caution, and 04 R is 04R', async () => {
    const found = (await runways({ icao: 'KBOS' })).find((each) => each.ident === '04R');
    const id = found?.notams.find(({ notam: number }) => number === 'A0010/26')?.id ?? '';
    const landed = async (at: string) => (await land(id, { airport: 'KBOS', at })).body['error'];
    const says = (text: string) => ({
      code: 'RUNWAY_NOT_FOUND',
      message: `Runway ${id}: NOTAM A0010/26 ${text}. Its id without NOTAM is 04R.`,
    });
    expect(await landed('2026-12-29T00:00:00Z')).toMatchObject(says('was over at 2026-12-28T00:00:00.000Z'));
    const { body } = await land('04R.N9999', { airport: 'KBOS' });
    expect(body['error']).toMatchObject({
      message: 'Runway 04R.N9999: NOTAM N9999 is over, cancelled or not known. Its id without NOTAM is 04R.',
    });
    expect((await land('04 R', { airport: 'KBOS' })).body).toMatchObject({
      performance: { runwayIdent: '04R' },
    });
  });

  test('A closure applies at the time of landing: airport and performance accept at, and a past time means now', async () => {
    const boston = (at?: string) => runways({ icao: 'KBOS', ...(at === undefined ? {} : { at }) });
    const closed = async (at?: string) =>
      (await boston(at)).filter((each) => each.isClosed).map((each) => each.ident);
    expect(await closed()).toEqual([]);
    expect(await closed('2026-09-16T19:00:00Z')).toEqual(['09', '27']);
    expect(await closed('2026-09-16T20:30:00Z')).toEqual([]);
    expect(await closed('2020-01-01T00:00:00Z')).toEqual([]);
    const landAt = async (at?: string) => (await land('27', { airport: 'KBOS', at })).status;
    expect([
      await landAt(),
      await landAt('2026-09-16T14:00:00-05:00'),
      await landAt('2026-09-16T21:00:00Z'),
    ]).toEqual([200, 404, 200]);
    expect(await land('27', { airport: 'KBOS', at: 'tomorrow' })).toMatchObject({ status: 400 });
    api.context.clock.set('2026-09-16T19:00:00Z');
    const { body } = await api.call('weather', { token: user.token, data: { icao: 'KBOS' } });
    expect([await closed(), await landAt(), await landAt('2026-09-16T21:00:00Z')]).toEqual([
      ['09', '27'],
      404,
      200,
    ]);
    expect(body['metar']).toBeNull();
    api.context.clock.set('2026-09-16T12:00:00Z');
  });

  test('Two NOTAM in force together form one variant, and the plain runway names each with its difference', async () => {
    const found = (await runways({ icao: 'KBOS' })).find((each) => each.ident === '04R');
    const lda = Math.floor(found?.lda.value ?? 0);
    const notams = found?.notams ?? [];
    expect(notams.map((each) => each.notam)).toEqual(['A0010/26', 'A0011/26', 'A0010/26, A0011/26']);
    const [together] = notams.slice(-1);
    const plain = (await land('04R', { airport: 'KBOS' })).body['performance'] as Record<string, unknown>;
    expect(plain['noticesInForce']).toEqual(
      notams.map((each) => ({
        runway: each.id,
        missingFeature: null,
        notam: each.notam,
        text: each.text,
        lda: Math.floor(each.lda ?? 0),
        difference: Math.floor(each.lda ?? 0) - lda,
      })),
    );
    const both = await land(together?.id ?? '', { airport: 'KBOS' });
    expect(both.body).toMatchObject({
      performance: {
        isNOTAM: true,
        runwayIdent: together?.id,
        lda: Math.floor(together?.lda ?? 0),
        noticesInForce: [],
      },
    });
    expect(Math.min(...notams.map((each) => each.lda ?? Infinity))).toBe(together?.lda);
    expect(JSON.stringify(both.body['caution'])).not.toContain('not in this calculation');
  });
});

describe('runway exits closed by NOTAM', () => {
  interface Exit {
    name: string;
    distance: number;
  }
  const exitsOf = async (at?: string) => {
    const { body } = await api.call('airport', { token: user.token, data: { icao: 'KBOS', at } });
    const found = (body['airport'] as { runways: { ident: string; exits: Exit[] }[] }).runways;
    return found.find((each) => each.ident === '04R')?.exits.map(({ name }) => name);
  };
  const landed = async (id: string, at?: string) => {
    const { body } = await land(id, { airport: 'KBOS', at });
    return {
      exits: (body['performance'] as { runwayExits: Exit[] }).runwayExits.map(({ name, distance }) => [
        name,
        distance,
      ]),
      named: (body['caution'] as string[]).filter((line) => /exit/i.test(line)),
    };
  };
  const closed = ['Exit N2 is closed by NOTAM A0013/26.'];

  test('The closed exit is left out by airport and performance, and named in every variant of its runway but no other', async () => {
    expect(await exitsOf()).toEqual(['N1']);
    expect(await landed('04R')).toEqual({ exits: [['N1', 1600]], named: closed });
    const found = (await runways({ icao: 'KBOS' })).find((each) => each.ident === '04R');
    const displaced = found?.notams.find(({ notam: number }) => number === 'A0011/26');
    // The threshold is displaced by 200 m in total, so the exit is nearer by 200 m minus the published
    // displacement.
    const { exits, named } = await landed(displaced?.id ?? '');
    expect(named).toEqual(closed);
    expect(exits).toEqual([['N1', expect.any(Number)]]);
    expect(Number(exits[0]?.[1])).toBeLessThan(1600);
    expect(await landed('15R')).toEqual({ exits: [['Q', 1900]], named: [] });
  });

  test('The exit is available again for an arrival after the NOTAM', async () => {
    const after = '2026-09-16T23:00:00Z';
    expect(await exitsOf(after)).toEqual(['N1', 'N2']);
    expect(await landed('04R', after)).toEqual({
      exits: [
        ['N1', 1600],
        ['N2', 2000],
      ],
      named: [],
    });
  });
});
