/** The profile of a shared plan: the owner's, and how the recipient's differs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { at } from '#test/support/answers.ts';
import { fleetCalls } from '#test/support/fleet.ts';
import { makers } from '#test/support/flights.ts';
import { runSql } from '#test/support/sql.ts';

type Fields = Record<string, unknown>;

let api: TestApi;
let owner: TestUser;
let recipient: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  [owner, recipient] = [await api.user(), await api.user()];
  await importAirports(api.context, ['KJFK']);
  const weight = { mslw: 62_000, mzfw: 60_000 };
  await fleetCalls(api).save(owner, 'N62OWN', '737-800-7B26', { weight });
  const plan = { requestId: '184200001', metar: 'KJFK 161151Z 03012KT 10SM 18/12 A3002', taf: '' };
  const data = makers[0]?.({ ...plan, tlr: {}, runway: '04L', registration: 'N62OWN' });
  const { body } = await api.call('ofpImport', { token: owner.token, data });
  ofpId = String(body['ofpId']);
  const shared = await api.call('ofpShare', { token: owner.token, data: { ofpId, permission: 'view' } });
  const shareToken = at(shared, 'share', 'shareToken');
  await api.call('ofpShareAccept', { token: recipient.token, data: { shareToken } });
});
afterAll(() => api.close());

const plan = async ({ token }: TestUser) =>
  (await api.call('ofpGet', { token, data: { ofpId, view: 'summary' } })).body['ofp'] as {
    ownerProfile: Fields | null;
    performanceDefaults: { landing: Fields };
  };
const land = async ({ token }: TestUser, data: Fields) =>
  (await api.call('performance', { token, data })).body as {
    cautions: { code: string; limit: number | null }[];
    applied: { name: string; value: unknown; source: string }[];
  };

describe('the profile of a shared plan', () => {
  test('The recipient sees the owner’s profile with its weights, and how their own differs', async () => {
    const own = { file: `User_${owner.id}_N62OWN.json`, userRegistration: 'N62OWN', virtualAirline: null };
    const weight = { oew: 41_413, mzfw: 60_000, mslw: 62_000, mstow: 79_016 };
    expect((await plan(owner)).ownerProfile).toEqual({ ...own, weight, differences: [] });
    expect((await plan(recipient)).ownerProfile).toEqual({
      ...own,
      weight,
      differences: [
        { field: 'weight.mslw', owner: 62_000, yours: 66_361 },
        { field: 'weight.mzfw', owner: 60_000, yours: 62_732 },
      ],
    });
  });

  test('The recipient calculates with the owner’s figure as a value, and applied names both aircraft', async () => {
    const { landing } = (await plan(recipient)).performanceDefaults;
    const weighing = (weight: Fields) => ({ ...landing, weight: { landingWeight: 63_000, ...weight } });
    const overweight = async (weight: Fields) =>
      (await land(recipient, weighing(weight))).cautions.find(({ code }) => code === 'OVERWEIGHT')?.limit;
    expect([await overweight({}), await overweight({ maxLandingWeight: 62_000 })]).toEqual([
      undefined,
      62_000,
    ]);
    expect(await overweight({ maxLandingWeight: 90_000 })).toBeUndefined();
    const { applied } = await land(recipient, weighing({}));
    expect(applied[0]).toMatchObject({ name: 'Aircraft', value: '737-800-7B26', source: 'standard' });
    const defaults = (await plan(owner)).performanceDefaults.landing;
    expect((await land(owner, defaults)).applied.slice(0, 2)).toMatchObject([
      { name: 'Aircraft', value: 'N62OWN', source: `profile User_${owner.id}_N62OWN.json` },
      { name: 'Differs from 737-800-7B26', value: 'weight.mslw 62000 (66361), weight.mzfw 60000 (62732)' },
    ]);
  });

  test('The profile stays as imported, whatever the owner saves later; older plans have none', async () => {
    const weight = { mslw: 61_000, mzfw: 60_000 };
    await fleetCalls(api).save(owner, 'N62OWN', '737-800-7B26', { weight });
    expect((await plan(owner)).ownerProfile).toMatchObject({
      weight: { mslw: 62_000 },
      differences: [{ field: 'weight.mslw', owner: 62_000, yours: 61_000 }],
    });
    await runSql(api.context.postgres)`UPDATE ofp SET owner_profile = NULL WHERE id = ${ofpId}`;
    expect((await plan(recipient)).ownerProfile).toBeNull();
  });
});
