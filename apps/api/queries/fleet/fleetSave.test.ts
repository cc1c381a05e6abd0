import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStorage } from '#store/storage/storage.ts';
import type { FileStorage } from '#domain/ports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { testFolder } from '#test/harness.ts';
import { at, refusal } from '#test/support/answers.ts';
import { dataOf, fleetCalls } from '#test/support/fleet.ts';
import type { FleetCalls } from '#test/support/fleet.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let fleet: FleetCalls;
let user: TestUser;
let folder: string;
/** A test may set this to replace the put. */
let put: FileStorage['put'] | null = null;

beforeAll(async () => {
  folder = await testFolder();
  const storage = createStorage({ DATA_DIR: folder });
  api = await testApi({ storage: { ...storage, put: (...given) => (put ?? storage.put)(...given) } });
  fleet = fleetCalls(api);
  user = await api.user();
});
afterAll(() => api.close());

const mslw = (kg: number) => ({ weight: { mslw: kg } });

describe('fleetSave, successful calls', () => {
  test('The answer has the resolved values, as do the row and the JSON file (M-2.4.f1, M-2.4.f2, M-2.4.f3, M-2.4.f6, M-2.4.f7, M-2.4.f8, M-2.4.f10, M-2.4.s1, M-2.4.s2, M-2.4.s3, M-2.4.s4, M-2.4.s5, M-2.4.s6, M-2.4.1a, A-29)', async () => {
    const file = `User_${user.id}_D-AIZA.json`;
    const inherited = { variant: 'A320-214', engines: 'CFM56-5B4/P', engineTimeLimit: 600 };
    const saved = dataOf(await fleet.save(user, ' d-aiza ', 'A320-214', mslw(64_000)));
    expect(saved).toEqual({
      registration: 'D-AIZA',
      file,
      ...inherited,
      revision: expect.any(Number),
      updatedAt: expect.any(String),
      saved: true,
    });
    expect(await fleet.row(user, 'D-AIZA')).toMatchObject({
      registration: 'D-AIZA',
      basedOnProfile: 'A320-214',
      file,
      variant: inherited.variant,
      engines: inherited.engines,
      engine_time_limit: inherited.engineTimeLimit,
      isBasedOnUserProfile: false,
    });
    expect(dataOf(await fleet.get(user, 'd-AIZA'))['overrides']).toEqual({
      weight: { mslw: 64_000 },
      profile: { user_registration: 'D-AIZA', basedOnProfile: 'A320-214' },
    });
    // A derived profile has the values of the row, whatever their origin.
    await fleet.save(user, 'D-AIZA', 'A320-214', mslw(64_000), { engines: 'V2527', engineTimeLimit: 300 });
    expect(dataOf(await fleet.save(user, 'D-AIZB', 'd-aiza', { weight: { oew: 41_000 } }))).toMatchObject({
      variant: 'A320-214',
      engines: 'V2527',
      engineTimeLimit: 300,
    });
    expect(await fleet.row(user, 'D-AIZB')).toMatchObject({
      basedOnProfile: 'D-AIZA',
      isBasedOnUserProfile: true,
    });
  });

  test('Optional fields are stored, absent ones remain, and null removes them (M-2.4.f4, M-2.4.f5, M-2.4.f9, M-4.3.q3b, M-8.5)', async () => {
    const given = {
      flightSim: 'x'.repeat(15),
      addon: '😀'.repeat(15),
      shareCommunity: true,
      variant: 'A320-214WL',
      engines: 'CFM',
      engineTimeLimit: 420,
    };
    const stored = {
      flight_sim: given.flightSim,
      addon: given.addon,
      share_community: true,
      variant: given.variant,
      engines: given.engines,
      engine_time_limit: 420,
    };
    dataOf(await fleet.save(user, 'OPTIONS', 'A320-214', mslw(64_000), given));
    expect(await fleet.row(user, 'OPTIONS')).toMatchObject(stored);
    dataOf(await fleet.save(user, 'OPTIONS', 'A320-214', mslw(63_000)));
    expect(await fleet.row(user, 'OPTIONS')).toMatchObject(stored);
    dataOf(await fleet.save(user, 'OPTION2', 'A320-214', mslw(63_000), { renameFrom: 'OPTIONS' }));
    expect(await fleet.row(user, 'OPTION2')).toMatchObject(stored);
    dataOf(await fleet.save(user, 'OPTIONS', 'A320-214', mslw(63_000), { renameFrom: 'OPTION2' }));
    dataOf(
      await fleet.save(user, 'OPTIONS', 'A320-214', mslw(63_000), {
        flightSim: null,
        addon: ' ',
        shareCommunity: 0,
        variant: null,
        engines: null,
        engineTimeLimit: null,
      }),
    );
    expect(await fleet.row(user, 'OPTIONS')).toMatchObject({
      flight_sim: null,
      addon: null,
      share_community: false,
      variant: 'A320-214',
      engines: 'CFM56-5B4/P',
      engine_time_limit: 600,
    });
  });

  test('A standard aircraft is accepted in any letter case and with its slash, and a profile with the same name may be based on it', async () => {
    for (const name of ['a320-214', '737-800/7B26'])
      dataOf(await fleet.save(user, 'NAMED', name, { profile: { title: 'Mine' } }));
    dataOf(await fleet.save(user, 'A320-214', 'A320-214', { profile: { title: 'Mine' } }));
    expect(await fleet.row(user, 'A320-214')).toMatchObject({ isBasedOnUserProfile: false });
    dataOf(await fleet.save(user, 'NAMED', 'A320-214', { profile: { title: 'Mine' } }));
    expect(await fleet.row(user, 'NAMED')).toMatchObject({ isBasedOnUserProfile: true });
  });

  test('Twenty simultaneous saves of one registration leave one row and its file', async () => {
    const weights = Array.from({ length: 20 }, (_, i) => 63_000 + i);
    const answers = await Promise.all(weights.map((kg) => fleet.save(user, 'BUSY', 'A320-214', mslw(kg))));
    expect(answers.map(({ status }) => status)).toEqual(weights.map(() => 200));
    const { merged } = dataOf(await fleet.get(user, 'BUSY')) as { merged: { weight: { mslw: number } } };
    expect(weights).toContain(merged.weight.mslw);
    expect((await fleet.list(user)).userFleet.filter((row) => row['registration'] === 'BUSY')).toHaveLength(
      1,
    );
  });
});

describe('fleetSave, invalid input', () => {
  const cases: [what: string, data: Record<string, unknown>, code: string][] = [
    ['no registration', { registration: undefined }, 'INVALID_REGISTRATION'],
    ['an empty registration', { registration: ' ' }, 'INVALID_REGISTRATION'],
    ['a space', { registration: 'A B' }, 'INVALID_REGISTRATION'],
    ['a path', { registration: '../x' }, 'INVALID_REGISTRATION'],
    ['31 characters', { registration: 'A'.repeat(31) }, 'INVALID_REGISTRATION'],
    ['a letter of another script', { registration: 'DÄIZA' }, 'INVALID_REGISTRATION'],
    ['no base', { basedOnProfile: undefined }, 'MISSING_BASED_ON'],
    ['an empty base', { basedOnProfile: '' }, 'MISSING_BASED_ON'],
    ['an unknown base', { basedOnProfile: 'NO-SUCH' }, 'INVALID_BASED_ON'],
    ['a path as base', { basedOnProfile: '../../A320-214' }, 'INVALID_BASED_ON'],
    ['itself as base', { basedOnProfile: 'refused' }, 'INVALID_BASED_ON'],
    ['no data', { profileData: undefined }, 'INVALID_PROFILE_DATA'],
    ['null', { profileData: null }, 'INVALID_PROFILE_DATA'],
    ['empty data', { profileData: {} }, 'INVALID_PROFILE_DATA'],
    ['a list', { profileData: [] }, 'INVALID_PROFILE_DATA'],
    ['a list with content', { profileData: [{ weight: 1 }] }, 'INVALID_PROFILE_DATA'],
    ['a text', { profileData: '{"a":1}' }, 'INVALID_PROFILE_DATA'],
    ['a profile that is not an object', { profileData: { profile: 'x' } }, 'INVALID_PROFILE_DATA'],
    ['16 characters of flightSim', { flightSim: 'x'.repeat(16) }, 'INVALID_FIELD'],
    ['16 characters of addon', { addon: 'x'.repeat(16) }, 'INVALID_FIELD'],
    ['a number as addon', { addon: 7 }, 'INVALID_FIELD'],
    ['half a second', { engineTimeLimit: 300.5 }, 'INVALID_FIELD'],
    ['shareCommunity as a text', { shareCommunity: 'yes' }, 'INVALID_FIELD'],
  ];
  test('Each invalid field has its code, and nothing is stored (M-2.4.f1, M-4.3.q3a, M-7.f2, M-7.f3, M-7.f4, M-8.5)', async () => {
    for (const [what, data, code] of cases) {
      const valid = { registration: 'REFUSED', basedOnProfile: 'A320-214', profileData: mslw(64_000) };
      const answer = await api.call('fleetSave', { token: user.token, data: { ...valid, ...data } });
      expect([what, ...refusal(answer)]).toEqual([what, 400, code]);
    }
    expect(await fleet.row(user, 'REFUSED')).toBeUndefined();
    dataOf(await fleet.save(user, 'A'.repeat(30), 'A320-214', mslw(64_000)));
  });

  test('Keys that reach a prototype are refused at any depth, as are too many values and levels (M-7.f4)', async () => {
    const send = async (profileData: string) => {
      const data = `{"registration":"REFUSED","basedOnProfile":"A320-214","profileData":${profileData}}`;
      const response = await api.fetch('/api', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${user.token}` },
        body: `{"query":"fleetSave","data":${data}}`,
      });
      const body = (await response.json()) as { error: { code: string; details?: string[] } };
      return [response.status, body.error.code, body.error.details?.join() ?? ''];
    };
    // One of the three is already refused by the body reader, for every query.
    expect((await send('{"a":[{"__proto__":{"x":1}}]}')).slice(0, 2)).toEqual([400, 'INVALID_JSON']);
    for (const key of ['constructor', 'prototype'])
      for (const data of [
        `{"${key}":{"x":1}}`,
        `{"a":{"b":[1,{"${key}":null}]}}`,
        `{"profile":{"${key}":1}}`,
      ])
        expect([data, await send(data)]).toEqual([
          data,
          [400, 'INVALID_PROFILE_DATA', expect.stringContaining(`${key}: this key is not allowed`)],
        ]);
    expect(await send(`{"a":"${'x'.repeat(1_048_600)}"}`)).toEqual([
      400,
      'INVALID_PROFILE_DATA',
      'profileData: is larger than 1048576 bytes',
    ]);
    expect(await send(`{"a":[${'0,'.repeat(200_001)}0]}`)).toEqual([
      400,
      'INVALID_PROFILE_DATA',
      'profileData: has more than 200000 values',
    ]);
    expect(await send('{"a":[{"b":1e999}]}')).toEqual([
      400,
      'INVALID_PROFILE_DATA',
      'profileData: a.0.b: is not a finite number',
    ]);
    expect((await send(`{"a":${'['.repeat(70)}${']'.repeat(70)}}`))[0]).toBe(400);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(await fleet.row(user, 'REFUSED')).toBeUndefined();
  });

  test('Data that the engine would refuse are refused with path and reason', async () => {
    const refused: [data: Record<string, unknown>, line: RegExp][] = [
      [{ weight: { mslw: 'heavy' } }, /^weight\.mslw: /],
      [{ weight: { mslw: -1 } }, /^weight\.mslw: /],
      [{ weight: { mslw: 62_000 } }, /^weight: weights must rise/],
      [{ weight: { mslw: 20_000 } }, /^weight\.mslw: 20000 kg is outside 39600 to 99000 kg.*units\.weight/],
      [{ weight: { performanceLimitedWeight: 132_277 } }, /^weight\.performanceLimitedWeight: 132277 kg/],
      [{ weight: { flexibleTOW: [78_000, 171_960] } }, /^weight\.flexibleTOW\.1: 171960 kg/],
      [{ landing: { vrefFlapRef: '99' } }, /^landing\.vrefFlapRef: unknown flap 99/],
      [{ flaps: [] }, /^flaps: /],
      [{ weight: null }, /^weight: /],
      // No code would read these files.
      [{ weight: { mlw: 64_000 } }, /^weight\.mlw: is not known; did you mean weight\.mslw\?/],
      [{ wieght: { mslw: 64_000 } }, /^wieght: is not known; did you mean weight\?/],
      [
        { landing: { windLimit: { tailWind: 10 } } },
        /^landing\.windLimit\.tailWind: is not known; did you mean /,
      ],
      [{ climb: { goAroundHeightFt: 1e300 } }, /^result.*is not a finite number/],
      [{ vectors: [{ name: 'mine', input: {}, expect: { vRefKt: 1 } }] }, /^vectors/],
    ];
    for (const [data, line] of refused) {
      const answer = await fleet.save(user, 'REFUSED', 'A320-214', data);
      expect([data, ...refusal(answer)]).toEqual([data, 400, 'INVALID_PROFILE_DATA']);
      expect(at(answer, 'error', 'details')).toEqual(expect.arrayContaining([expect.stringMatching(line)]));
    }
    expect(await fleet.row(user, 'REFUSED')).toBeUndefined();
  });

  test('Weights in pounds are implausible as kilograms and refused, but are converted when the save names the unit', async () => {
    const pounds = {
      weight: {
        oew: 93_917,
        mzfw: 137_789,
        mslw: 145_505,
        mstow: 171_961,
        msrw: 172_842,
        isFlexibleTOW: false,
      },
    };
    const refused = await fleet.save(user, 'POUNDS', 'A320-214', pounds);
    expect(refusal(refused)).toEqual([400, 'INVALID_PROFILE_DATA']);
    const lines = at(refused, 'error', 'details') as string[];
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).toMatch(/^weight\.\w+: \d+ kg is outside .*units\.weight is lb$/);
    dataOf(await fleet.save(user, 'POUNDS', 'A320-214', pounds, { units: { weight: 'lb' } }));
    const { overrides } = dataOf(await fleet.get(user, 'POUNDS')) as { overrides: { weight: unknown } };
    expect(overrides.weight).toMatchObject({
      mslw: expect.closeTo(66_000, 0) as number,
      mstow: expect.closeTo(78_000, 0) as number,
      isFlexibleTOW: false,
    });
    const kilograms = { weight: { mslw: 66_000 } };
    for (const units of [{ weight: 'lb' }, { weight: 'stone' }])
      expect((await fleet.save(user, 'POUNDS', 'A320-214', kilograms, { units })).status).toBe(400);
  });

  test('A save that would break a derived profile is refused and names that profile', async () => {
    dataOf(await fleet.save(user, 'TOP', 'A320-214', mslw(64_000)));
    dataOf(await fleet.save(user, 'BELOW', 'TOP', { weight: { mzfw: 63_500 } }));
    const answer = await fleet.save(user, 'TOP', 'A320-214', mslw(63_000));
    expect(refusal(answer)).toEqual([400, 'INVALID_PROFILE_DATA']);
    expect(String(at(answer, 'error', 'details', 0))).toMatch(/^BELOW, which inherits from it: weight/);
    dataOf(await fleet.save(user, 'TOP', 'A320-214', mslw(63_600)));
  });
});

describe('inheritance', () => {
  test('Five levels of inheritance work and the sixth is refused, even after a change of parent (M-2.4.f11, M-8.6)', async () => {
    const data = { profile: { title: 'chain' } };
    const aircraft = '737-800-7B26';
    for (const [i, parent] of [aircraft, 'C1', 'C2', 'C3', 'C4'].entries())
      dataOf(await fleet.save(user, `C${i + 1}`, parent, data));
    expect(refusal(await fleet.save(user, 'C6', 'C5', data))).toEqual([400, 'INHERITANCE_TOO_DEEP']);
    dataOf(await fleet.save(user, 'ONE', aircraft, data));
    // Four levels of profiles derive from C1, so one more level above would be too many for the last one.
    expect(refusal(await fleet.save(user, 'C1', 'ONE', data))).toEqual([400, 'INHERITANCE_TOO_DEEP']);
    dataOf(await fleet.save(user, 'C2', 'ONE', data));
    expect(refusal(await fleet.save(user, 'ONE', 'C1', data))).toEqual([400, 'INHERITANCE_TOO_DEEP']);
    expect(refusal(await fleet.save(user, 'ONE', 'C5', data))).toEqual([400, 'INVALID_BASED_ON']);
    expect(await fleet.row(user, 'ONE')).toMatchObject({ basedOnProfile: aircraft });
  });

  test('Another user’s profile cannot be the parent, and the same registration is a separate profile (M-2.4.k3)', async () => {
    const other = await api.user();
    dataOf(await fleet.save(user, 'SHARED', 'A320-214', mslw(64_000), { shareCommunity: true }));
    expect(refusal(await fleet.save(other, 'CHILD', 'SHARED', mslw(64_000)))).toEqual([
      400,
      'INVALID_BASED_ON',
    ]);
    dataOf(await fleet.save(other, 'SHARED', '737-800-7B26', mslw(65_000)));
    expect(await fleet.row(user, 'SHARED')).toMatchObject({ basedOnProfile: 'A320-214', user_id: user.id });
    expect(dataOf(await fleet.get(user, 'SHARED'))['overrides']).toMatchObject(mslw(64_000));
    expect(dataOf(await fleet.get(other, 'SHARED'))['overrides']).toMatchObject(mslw(65_000));
  });

  test('A fleet has at most 200 profiles', async () => {
    const full = await api.user();
    dataOf(await fleet.save(full, 'FIRST', 'A320-214', mslw(64_000)));
    await runSql(api.context.postgres)`
      INSERT INTO fleet_profile (user_id, registration, standard_id, storage_key, created_at, updated_at)
      SELECT ${full.id}, 'R' || n, 'A320-214', 'none/' || n, now(), now() FROM generate_series(1, 199) n`;
    expect(refusal(await fleet.save(full, 'ONE-MORE', 'A320-214', mslw(64_000)))).toEqual([
      403,
      'FLEET_FULL',
    ]);
    dataOf(await fleet.save(full, 'FIRST', 'A320-214', mslw(63_000)));
  });
});

describe('fleetSave, failing database or folder', () => {
  const unchanged = async () =>
    expect(dataOf(await fleet.get(user, 'SAFE'))['overrides']).toMatchObject(mslw(64_000));
  beforeAll(async () => void dataOf(await fleet.save(user, 'SAFE', 'A320-214', mslw(64_000))));

  test('A row refused by the database is DB_ERROR, and the file is unchanged (M-2.4.1b, M-7.f12)', async () => {
    const run = runSql(api.context.postgres);
    await run`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN RAISE EXCEPTION ''refused by a test''; END'`;
    await run`CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON fleet_profile
      FOR EACH ROW EXECUTE FUNCTION refuse()`;
    expect(refusal(await fleet.save(user, 'SAFE', 'A320-214', mslw(65_000)))).toEqual([500, 'DB_ERROR']);
    expect(refusal(await fleet.remove(user, 'SAFE'))).toEqual([500, 'DB_ERROR']);
    await run`DROP TRIGGER refuse ON fleet_profile`;
    await unchanged();
  });

  test('A folder that cannot be created is FS_ERROR, and a file that cannot be written FS_WRITE_ERROR (M-7.f10, M-7.f11)', async () => {
    const other = await api.user();
    const inTheWay = join(folder, 'files/fleet/users', String(other.id));
    await mkdir(dirname(inTheWay), { recursive: true });
    await writeFile(inTheWay, 'a file where the folder should be');
    expect(refusal(await fleet.save(other, 'SAFE', 'A320-214', mslw(65_000)))).toEqual([500, 'FS_ERROR']);
    await rm(inTheWay);
    put = () => writeFile('/dev/full', 'x');
    expect(refusal(await fleet.save(user, 'SAFE', 'A320-214', mslw(65_000)))).toEqual([
      500,
      'FS_WRITE_ERROR',
    ]);
    put = null;
    await unchanged();
    expect(await fleet.row(other, 'SAFE')).toBeUndefined();
  });

  test('Every fleet operation without a token is 401 (M-7.f1)', async () => {
    const data = { registration: 'SAFE', basedOnProfile: 'A320-214', profileData: mslw(65_000) };
    for (const query of ['fleetList', 'fleetGet', 'fleetSave', 'fleetDelete'])
      expect([query, ...refusal(await api.call(query, { data }))]).toEqual([query, 401, 'AUTH_REQUIRED']);
  });
});

describe('two pads editing one profile', () => {
  test('A save and a deletion with an outdated revision change nothing and return the stored row', async () => {
    const first = dataOf(await fleet.save(user, 'PADS', 'A320-214', mslw(64_000), { expectedVersion: 0 }));
    const [again, second] = [
      await fleet.save(user, 'PADS', 'A320-214', mslw(63_000), { expectedVersion: 0 }),
      await fleet.save(user, 'PADS', 'A320-214', mslw(63_400), { expectedVersion: first['revision'] }),
    ];
    const stale = { expectedVersion: first['revision'] };
    const current = dataOf(await fleet.get(user, 'PADS'))['fleetRow'] as Record<string, unknown>;
    expect(current['revision']).toBe(dataOf(second)['revision']);
    const late = await fleet.save(user, 'PADS', 'A320-214', mslw(63_300), stale);
    const deleted = await fleet.remove(user, 'PADS', stale);
    for (const answer of [again, late, deleted]) expect(refusal(answer)).toEqual([409, 'VERSION_CONFLICT']);
    for (const answer of [late, deleted]) expect(at(answer, 'current')).toEqual(current);
    expect(dataOf(await fleet.get(user, 'PADS'))['overrides']).toMatchObject(mslw(63_400));
    expect((await fleet.remove(user, 'PADS', { expectedVersion: current['revision'] })).status).toBe(200);
    const ghost = await fleet.save(user, 'PADS', 'A320-214', mslw(63_200), stale);
    expect([refusal(ghost), at(ghost, 'current')]).toEqual([[409, 'VERSION_CONFLICT'], null]);
    const recreated = dataOf(
      await fleet.save(user, 'PADS', 'A320-214', mslw(63_200), { expectedVersion: 0 }),
    );
    expect(recreated['revision']).toBeGreaterThan(current['revision'] as number);
    expect(refusal(await fleet.remove(user, 'PADS', { expectedVersion: 'x' }))).toEqual([
      400,
      'INVALID_FIELD',
    ]);
  });
});
