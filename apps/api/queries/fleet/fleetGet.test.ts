import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { standardAircraft } from '#data/aircraft/profiles.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { dataOf, fleetCalls } from '#test/support/fleet.ts';
import type { FleetCalls } from '#test/support/fleet.ts';

let api: TestApi;
let fleet: FleetCalls;
let user: TestUser;

beforeAll(async () => {
  api = await testApi();
  fleet = fleetCalls(api);
  user = await api.user();
});
afterAll(() => api.close());

const get = async (registration: string) => dataOf(await fleet.get(user, registration));
const named = (registration: string, basedOnProfile: string) => ({
  user_registration: registration,
  basedOnProfile,
});

describe('fleetGet, successful calls', () => {
  test('A profile derived from a standard aircraft, and one derived from that, have master, overrides and merged (M-2.4.g1, M-2.4.g2, M-2.4.g3, M-2.4.g4, M-2.4.g5, M-2.4.g6, M-2.4.g7, M-2.4.g8, M-2.4.g9, M-4.3.q2)', async () => {
    const parent = {
      weight: { mslw: 64_000, oew: 41_500 },
      profile: { title: 'Parent' },
      checklists: { isChecklistActive: false, file: 'mine' },
    };
    dataOf(await fleet.save(user, 'PARENT', 'A320-214', parent));
    const stored = { ...parent, profile: { title: 'Parent', ...named('PARENT', 'A320-214') } };
    expect(await get('parent')).toEqual({
      fleetRow: {
        id: expect.any(Number),
        user_id: user.id,
        registration: 'PARENT',
        basedOnProfile: 'A320-214',
        file: `User_${user.id}_PARENT.json`,
        isBasedOnUserProfile: false,
        revision: expect.any(Number),
        updatedAt: expect.any(String),
      },
      master: null,
      overrides: stored,
      merged: stored,
    });
    const child = { weight: { mslw: 63_500 }, checklists: { file: null } };
    dataOf(await fleet.save(user, 'CHILD', 'PARENT', child));
    expect(await get('CHILD')).toEqual({
      fleetRow: {
        id: expect.any(Number),
        user_id: user.id,
        registration: 'CHILD',
        basedOnProfile: 'PARENT',
        file: `User_${user.id}_CHILD.json`,
        isBasedOnUserProfile: true,
        revision: expect.any(Number),
        updatedAt: expect.any(String),
      },
      master: stored,
      overrides: { ...child, profile: named('CHILD', 'PARENT') },
      merged: {
        weight: { mslw: 63_500, oew: 41_500 },
        checklists: { isChecklistActive: false, file: null },
        profile: { title: 'Parent', ...named('CHILD', 'PARENT') },
      },
    });
  });

  test('A save with the master as its data resets the profile (M-2.4.2a)', async () => {
    dataOf(await fleet.save(user, 'BASE', 'A320-214', { weight: { mslw: 64_000 } }));
    dataOf(await fleet.save(user, 'RESET', 'BASE', { weight: { mslw: 63_500 } }));
    const { master } = await get('RESET');
    dataOf(await fleet.save(user, 'RESET', 'BASE', master));
    const { overrides, merged } = await get('RESET');
    const asMaster = { weight: { mslw: 64_000 }, profile: named('RESET', 'BASE') };
    expect({ overrides, merged }).toEqual({ overrides: asMaster, merged: asMaster });
  });

  test('A change of the parent appears in the child’s answer (M-2.4.k1)', async () => {
    dataOf(await fleet.save(user, 'OVER', 'A320-214', { weight: { mslw: 64_000, oew: 41_000 } }));
    dataOf(await fleet.save(user, 'UNDER', 'OVER', { weight: { mslw: 63_500 } }));
    dataOf(await fleet.save(user, 'OVER', 'A320-214', { weight: { mslw: 64_100, oew: 42_000 } }));
    expect((await get('UNDER'))['merged']).toMatchObject({ weight: { mslw: 63_500, oew: 42_000 } });
  });
});

describe('fleetGet, refused calls', () => {
  test('An absent or another user’s profile is NOT_FOUND, a malformed registration invalid (M-7.f2, M-7.f8)', async () => {
    const other = await api.user();
    dataOf(
      await fleet.save(other, 'OTHER', 'A320-214', { weight: { mslw: 64_000 } }, { shareCommunity: true }),
    );
    for (const registration of ['NONE', 'OTHER'])
      expect(refusal(await fleet.get(user, registration))).toEqual([404, 'NOT_FOUND']);
    for (const registration of ['', '../x', 'A'.repeat(31)])
      expect(refusal(await fleet.get(user, registration))).toEqual([400, 'INVALID_REGISTRATION']);
  });

  test('A row without its file is FILE_NOT_FOUND, both for the profile and those derived from it (M-7.f9)', async () => {
    const lost = await api.user();
    dataOf(await fleet.save(lost, 'LOST', 'A320-214', { weight: { mslw: 64_000 } }));
    const { key } = await api.context.postgres.db.one<{ key: string }>(
      sql`SELECT storage_key AS key FROM fleet_profile WHERE user_id = ${lost.id}`,
    );
    const folder = join(api.context.config.DATA_DIR, 'files/fleet/users', String(lost.id));
    expect((await readdir(folder)).map((name) => `fleet/users/${lost.id}/${name}`)).toEqual([key]);
    await rm(join(api.context.config.DATA_DIR, 'files', key));
    expect(refusal(await fleet.get(lost, 'LOST'))).toEqual([500, 'FILE_NOT_FOUND']);
    expect(refusal(await fleet.save(lost, 'HEIR', 'LOST', { x: 1 }))).toEqual([500, 'FILE_NOT_FOUND']);
    const file = `User_${lost.id}_LOST.json`;
    expect(refusal(await fleet.aircraft(lost, file, 'LOST'))).toEqual([500, 'FILE_NOT_FOUND']);
    const landing = await api.call('performance', {
      token: lost.token,
      data: {
        requestType: 'LANDING',
        landingMode: 'inflight',
        aircraft: { file, userRegistration: 'LOST', virtualAirline: null },
        airport: 'KJFK',
        runway: '04L',
        weight: { landingWeight: 60_000 },
      },
    });
    expect(refusal(landing)).toEqual([500, 'FILE_NOT_FOUND']);
    const aircraft = { file, userRegistration: 'LOST', virtualAirline: null };
    const table = await api.call('performanceAirport', {
      token: lost.token,
      data: { aircraft, airport: 'KJFK' },
    });
    expect(refusal(table)).toEqual([500, 'FILE_NOT_FOUND']);
    // The list of aircraft still works without it, and a save repairs it.
    const listed = await api.call('allowedAircrafts', { token: lost.token });
    expect(listed).toMatchObject({ status: 200, body: { userFleet: [] } });
    dataOf(await fleet.save(lost, 'LOST', 'A320-214', { weight: { mslw: 64_000 } }));
    expect((await fleet.aircraft(lost, file, 'LOST')).status).toBe(200);
  });
});

test('The published JSON Schemas accept stored and merged profiles, and reject what the engine would refuse', async () => {
  const validatorOf = async (name: string) => {
    const schema = (await (await api.fetch(`/api/schemas/${name}.json`)).json()) as Record<string, unknown>;
    return new Ajv2020({ strict: false, code: { optimize: false } }).compile(schema);
  };
  const isOverrides = await validatorOf('fleet-profile');
  const isWhole = await validatorOf('aircraft-profile');
  for (const file of await readdir(standardAircraft)) {
    if (!file.endsWith('.json')) continue;
    const json: unknown = JSON.parse(await readFile(join(standardAircraft, file), 'utf8'));
    expect([file, isWhole(json), isOverrides(json)]).toEqual([file, true, true]);
  }
  const part = { weight: { mslw: 64_000 }, profile: { title: 'Mine', user_registration: 'X' }, mine: [1] };
  expect([isOverrides(part), isWhole(part)]).toEqual([true, false]);
  for (const wrong of [
    {},
    [],
    { weight: { mslw: 'x' } },
    { weight: { mslw: -1 } },
    { flaps: [{ code: '1' }] },
    { family: 'C' },
  ])
    expect([wrong, isOverrides(wrong)]).toEqual([wrong, false]);
});
