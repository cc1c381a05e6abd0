/** The lists, and the aircraft loader used by allowedAircrafts, aircraft and performance. */
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { testFolder } from '#test/harness.ts';
import { importAirports } from '#test/support/airports.ts';
import { at, refusal } from '#test/support/answers.ts';
import { dataOf, fleetCalls } from '#test/support/fleet.ts';
import type { FleetCalls } from '#test/support/fleet.ts';
import { ops } from '#test/support/ops.ts';
import { twoApis } from '#test/support/two-apis.ts';
import type { TwoApis } from '#test/support/two-apis.ts';

let apis: TwoApis;
let api: TestApi;
/** Saves through the other process. */
let there: FleetCalls;
let fleet: FleetCalls;
let user: TestUser;
let other: TestUser;

beforeAll(async () => {
  apis = await twoApis({ STORAGE_URL: pathToFileURL(await testFolder()).href });
  api = apis.here;
  fleet = fleetCalls(api);
  there = fleetCalls(apis.there);
  await importAirports(api.context, ['KJFK']);
  user = await api.user();
  other = await api.user();
});
afterAll(() => apis.close());

const standard = '737-800-7B26';
const weight = { weight: { mslw: 64_000 } };
const fileName = (owner: TestUser, registration: string) => `User_${owner.id}_${registration}.json`;
const allowed = async (who: TestUser) =>
  (await api.call('allowedAircrafts', { token: who.token })).body as Record<
    string,
    Record<string, unknown>[]
  >;
const landing = (who: TestUser, file: string, userRegistration: string | null, landingWeight = 64_500) =>
  api.call('performance', {
    token: who.token,
    data: {
      requestType: 'LANDING',
      landingMode: 'inflight',
      aircraft: { file, userRegistration, virtualAirline: null },
      airport: 'KJFK',
      runway: '04L',
      weight: { landingWeight },
    },
  });
const overweight = (answer: Answer) =>
  (answer.body['caution'] as string[]).some((line) => line.includes('Overweight landing'));

describe('fleetList', () => {
  test('A new user has three empty lists (M-2.4.m1, M-2.4.m2, M-2.4.m3, M-4.3.q1)', async () => {
    expect(await fleet.list(await api.user())).toEqual({ userFleet: [], vaFleet: [], communityFleet: [] });
  });

  test('The caller’s own rows have every field and the caller’s API key (M-2.4.l1, M-2.4.l2, M-2.4.l3, M-2.4.l4, M-2.4.l5, M-2.4.l6, M-2.4.l7, M-2.4.l8, M-2.4.l9, M-2.4.l10, M-2.4.l11, M-2.4.l12, M-2.4.l13, M-2.4.l14, M-2.4.l15, M-2.7.r7, A-05)', async () => {
    const options = { flightSim: 'MSFS 2024', addon: 'PMDG' };
    dataOf(await fleet.save(user, 'N800AA', standard, weight, options));
    expect((await fleet.list(user)).userFleet).toEqual([
      {
        id: expect.any(Number),
        user_id: user.id,
        api_key: expect.stringMatching(/^API-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/),
        registration: 'N800AA',
        basedOnProfile: standard,
        virtual_airline: null,
        file: fileName(user, 'N800AA'),
        flight_sim: 'MSFS 2024',
        addon: 'PMDG',
        variant: '737-800',
        engines: 'CFM56-7B26',
        engine_time_limit: 300,
        share_community: false,
        recommended: false,
        isBasedOnUserProfile: false,
        revision: expect.any(Number),
        updatedAt: expect.any(String),
      },
    ]);
    expect((await fleet.list(other)).userFleet).toEqual([]);
  });

  test('A shared profile is in everyone’s community fleet without an API key, recommended profiles first (M-2.4.k2, M-2.4.f9, A-05, G-42)', async () => {
    dataOf(await fleet.save(user, 'N801AA', standard, weight, { shareCommunity: true }));
    api.context.clock.advance(60);
    dataOf(await fleet.save(user, 'N802AA', standard, weight, { shareCommunity: true }));
    const shown = async (who: TestUser) =>
      (await fleet.list(who)).communityFleet.map((row) => row['registration']);
    expect(await shown(other)).toEqual(['N802AA', 'N801AA']);
    const page = await api.call('fleetList', { token: other.token, data: { limit: 1, offset: 1 } });
    expect(at(page, 'data', 'communityFleet')).toMatchObject([{ registration: 'N801AA' }]);
    for (const who of [user, other])
      for (const row of (await fleet.list(who)).communityFleet)
        expect(row).toMatchObject({ user_id: user.id, api_key: null, share_community: true });
    const listed = await ops(api.context, 'fleet list --json');
    const shared = listed.json['profiles'] as { id: number; registration: string }[];
    expect(shared.map(({ registration }) => registration)).toEqual(['N802AA', 'N801AA']);
    const mark = (verb: string) => ops(api.context, `fleet ${verb} --id ${shared[1]?.id ?? 0}`);
    await mark('recommend');
    expect(await shown(other)).toEqual(['N801AA', 'N802AA']);
    expect((await fleet.list(other)).communityFleet[0]).toMatchObject({ recommended: true });
    await mark('recommend off');
    expect(await shown(other)).toEqual(['N802AA', 'N801AA']);
    expect(await ops(api.context, 'fleet recommend --id 999999 --json')).toMatchObject({ status: 1 });
    const own = await ops(api.context, `fleet list --email ${user.email}`);
    expect(own.out).toMatch(/N800AA .*N801AA .*N802AA /s);
    dataOf(await there.save(user, 'N802AA', standard, weight, { shareCommunity: false }));
    expect(await shown(other)).toEqual(['N801AA']);
  });
});

describe('the aircraft loader', () => {
  test('The user’s fleet is in allowedAircrafts with title, registration and file (M-2.8.2, M-2.8.4, M-2.8.6)', async () => {
    const pilot = await api.user();
    expect((await allowed(pilot))['userFleet']).toEqual([]);
    dataOf(
      await there.save(pilot, 'D-ABC', standard, {
        profile: { title: 'Old lady' },
        model: { brakes: 'Carbon' },
      }),
    );
    expect((await allowed(pilot))['userFleet']).toEqual([
      {
        profile: {
          title: 'Old lady',
          description: expect.any(String),
          userRegistration: 'D-ABC',
          virtualAirline: null,
          file: fileName(pilot, 'D-ABC'),
          isBeta: false,
        },
        model: expect.objectContaining({ brakes: 'Carbon', variant: '737-800' }),
      },
    ]);
    expect((await allowed(other))['userFleet']).toEqual([]);
  });

  test('The queries aircraft and performance use the merged profile, even after another process has changed its parent (M-2.4.g10)', async () => {
    dataOf(await fleet.save(user, 'PARENT', standard, weight));
    dataOf(await fleet.save(user, 'CHILD', 'PARENT', { landing: { vrefLabel: 'VREF of the child' } }));
    const file = fileName(user, 'CHILD');
    const shown = async () => {
      const answer = await fleet.aircraft(user, file, 'CHILD');
      return [at(answer, 'aircraft', 'weight', 'mslw'), at(answer, 'aircraft', 'landing', 'vrefLabel')];
    };
    expect(await shown()).toEqual([64_000, 'VREF of the child']);
    expect(at(await fleet.aircraft(user, file, 'CHILD'), 'aircraft', 'profile')).toMatchObject({
      userRegistration: 'CHILD',
      file,
    });
    expect(overweight(await landing(user, file, 'CHILD'))).toBe(true);
    dataOf(await there.save(user, 'PARENT', standard, { weight: { mslw: 65_000 } }));
    expect(await shown()).toEqual([65_000, 'VREF of the child']);
    expect(overweight(await landing(user, file, 'CHILD'))).toBe(false);
    expect(overweight(await landing(user, standard, null))).toBe(false);
  });

  test('An aircraft named in two ways counts as one in the statistics', async () => {
    for (const file of [fileName(user, 'CHILD'), `user_${user.id}_child`, standard])
      expect((await landing(user, file, 'CHILD')).status).toBe(200);
    const answer = await api.call('userStatistics', { token: user.token, data: {} });
    const used = (at(answer, 'mostUsedAircraft') as { profile: string }[]).map(({ profile }) => profile);
    expect(used.filter((profile) => /child/i.test(profile))).toEqual([fileName(user, 'CHILD')]);
  });

  test('A profile is found by its file or its standard aircraft in any letter case, and by nothing else', async () => {
    for (const file of [fileName(user, 'CHILD'), `user_${user.id}_child`, standard])
      expect([file, (await fleet.aircraft(user, file, 'child')).status]).toEqual([file, 200]);
    for (const [file, registration] of [
      ['A320-214', 'CHILD'],
      [fileName(user, 'PARENT'), 'CHILD'],
      [fileName(user, 'CHILD'), 'NONE'],
      ['../../etc/passwd', 'CHILD'],
      [fileName(user, 'CHILD'), null],
    ] as const)
      expect([file, ...refusal(await fleet.aircraft(user, file, registration))]).toEqual([
        file,
        404,
        'AIRCRAFT_NOT_FOUND',
      ]);
    const wrong = await fleet.aircraft(user, standard, 'CHIDL');
    expect(wrong.body['nearest']).toEqual(['CHILD']);
    expect((await fleet.aircraft(user, standard, 'CHILDS')).body['nearest']).toEqual(['CHILD']);
    expect(wrong.body['offered']).toEqual(expect.arrayContaining(['CHILD', 'PARENT']));
    expect((await fleet.aircraft(other, standard, 'CHILDS')).body).toMatchObject({
      nearest: [],
      offered: [],
    });
  });

  test("Another user's profile can be used while it is shared", async () => {
    const file = fileName(user, 'CHILD');
    expect(refusal(await fleet.aircraft(other, file, 'CHILD'))).toEqual([404, 'AIRCRAFT_NOT_FOUND']);
    expect(refusal(await landing(other, file, 'CHILD'))).toEqual([404, 'AIRCRAFT_NOT_FOUND']);
    dataOf(await there.save(user, 'CHILD', 'PARENT', weight, { shareCommunity: true }));
    expect((await fleet.aircraft(other, file, 'CHILD')).status).toBe(200);
    expect((await landing(other, file, 'CHILD')).status).toBe(200);
    // A file named after the standard aircraft means the user's own profile only.
    expect(refusal(await fleet.aircraft(other, standard, 'CHILD'))).toEqual([404, 'AIRCRAFT_NOT_FOUND']);
    dataOf(await there.save(user, 'CHILD', 'PARENT', weight, { shareCommunity: false }));
    expect(refusal(await fleet.aircraft(other, file, 'CHILD'))).toEqual([404, 'AIRCRAFT_NOT_FOUND']);
  });

  test('A profile whose standard aircraft no longer exists is refused with the reason', async () => {
    dataOf(await fleet.save(user, 'ORPHAN', standard, weight));
    await apis.runThere`UPDATE fleet_profile SET standard_id = 'DC-3' WHERE registration = 'ORPHAN'`;
    const answer = await fleet.aircraft(user, fileName(user, 'ORPHAN'), 'ORPHAN');
    expect(refusal(answer)).toEqual([422, 'AIRCRAFT_INVALID']);
    expect(refusal(await landing(user, fileName(user, 'ORPHAN'), 'ORPHAN'))).toEqual([
      422,
      'AIRCRAFT_INVALID',
    ]);
    const aircraft = { file: fileName(user, 'ORPHAN'), userRegistration: 'ORPHAN', virtualAirline: null };
    const table = await api.call('performanceAirport', {
      token: user.token,
      data: { aircraft, airport: 'KJFK' },
    });
    expect(refusal(table)).toEqual([422, 'AIRCRAFT_INVALID']);
    expect(at(answer, 'error', 'message')).toContain('there is no standard aircraft DC-3');
    expect(await fleet.row(user, 'ORPHAN')).toMatchObject({ basedOnProfile: 'DC-3' });
  });
});
