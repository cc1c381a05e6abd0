/** Whose aircraft a plan is calculated with, in every operation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { at } from '#test/support/answers.ts';
import { askEverywhere } from '#test/support/entry-points.ts';
import type { PlanEverywhere } from '#test/support/entry-points.ts';
import { fleetCalls } from '#test/support/fleet.ts';
import { makers } from '#test/support/flights.ts';

type Fields = Record<string, unknown>;

let api: TestApi;
let owner: TestUser;
let mate: TestUser;
let devKey: string;
beforeAll(async () => {
  api = await testApi();
  [owner, mate] = [await api.user(), await api.user()];
  devKey = await api.key({ weather: true });
  await importAirports(api.context, ['KJFK', 'KBOS']);
  for (const user of [owner, mate]) await api.grant(user, 'EFB_COMMERCIAL_Y');
});
afterAll(() => api.close());

const base = '737-800-7B26';
/** A weight, a factor, a limit and a default that all differ from the standard aircraft. */
const own = {
  weight: { mslw: 64_000 },
  factors: { inflight: 1.3 },
  limits: { tireSpeedKt: 190 },
  landing: { vrefAdditiveDefault: 5 },
};
const every = (text: (own: string, standard: string) => string) => [
  `landing.vrefAdditiveDefault ${text('5', '0')}`,
  `limits.tireSpeedKt ${text('190', '195')}`,
  `factors.inflight ${text('1.3', '1')}`,
  `weight.mslw ${text('64000', '66361')}`,
];

let requestId = 184_700_000;
const document = (registration: string) => {
  requestId += 1;
  const weather = { metar: 'KJFK 161151Z 03012KT 10SM 18/12 A3002', taf: '' };
  return makers[0]?.({ requestId: String(requestId), ...weather, tlr: {}, runway: '04L', registration });
};
const imported = async (registration: string, data: Fields = {}): Promise<Fields> => {
  const given = { ...document(registration), ...data };
  const { status, body } = await api.call('ofpImport', { token: owner.token, data: given });
  expect(status).toBe(200);
  return body;
};
const planOf = async (registration: string): Promise<string> => {
  expect((await fleetCalls(api).save(owner, registration, base, own)).status).toBe(200);
  return String((await imported(registration))['ofpId']);
};
const asked = (user: TestUser, ofpId: string) => askEverywhere(api, devKey, user, ofpId);
const factored = ({ landing }: PlanEverywhere): number =>
  Math.min(
    ...(landing.performance['autobrakeLandingDist'] as { factoredDistance: number }[]).map(
      (mode) => mode.factoredDistance,
    ),
  );
const differs = (cautions: unknown) =>
  (cautions as { code: string; text: string }[]).find(({ code }) => code === 'AIRCRAFT_DIFFERS')?.text;

/** The same caution everywhere, with every value of the profile. */
const expectDifference = (plan: PlanEverywhere, texts: readonly string[]) => {
  const { landing, takeoff } = plan.ofp.performanceDefaults;
  const text = landing.sources['aircraft']?.text;
  for (const one of texts) expect(text).toContain(one);
  expect([
    takeoff.sources['aircraft']?.text,
    differs(plan.landing.cautions),
    differs(plan.takeoff.cautions),
    differs(plan.table.landing['cautions']),
    differs(plan.table.takeoff['cautions']),
    plan.printed.landing['Aircraft'],
    plan.printed.takeoff['Aircraft'],
  ]).toEqual(Array.from({ length: 7 }, () => text));
};
const expectNone = (plan: PlanEverywhere) => {
  expect(plan.ofp.ownerProfile?.['differences']).toEqual([]);
  expect(plan.ofp.performanceDefaults.landing.sources).not.toHaveProperty('aircraft');
  expect(differs(plan.landing.cautions)).toBeUndefined();
};

describe('the aircraft of a plan', () => {
  test('The owner gets the imported profile without a caution, even under another registration (4.2)', async () => {
    const ofpId = await planOf('N62OWN');
    const before = await asked(owner, ofpId);
    expectNone(before);
    const renamed = await fleetCalls(api).save(owner, 'N62NEW', base, own, { renameFrom: 'N62OWN' });
    expect(renamed.status).toBe(200);
    const after = await asked(owner, ofpId);
    expectNone(after);
    const key = { file: `User_${owner.id}_N62NEW.json`, userRegistration: 'N62NEW', virtualAirline: null };
    expect(after.ofp['profileMatch']).toEqual({ ...key, confidence: 'registration' });
    expect(factored(after)).toBe(factored(before));
    const again = (await imported('N62OWN'))['ofp'] as PlanEverywhere['ofp'];
    expect(again['profileMatch']).toEqual(after.ofp['profileMatch']);
  });

  test('A recipient of the plan gets a caution with every value that differs from the owner’s (4.2)', async () => {
    const ofpId = await planOf('N63OWN');
    const shared = await api.call('ofpShare', { token: owner.token, data: { ofpId, permission: 'view' } });
    const shareToken = at(shared, 'share', 'shareToken');
    await api.call('ofpShareAccept', { token: mate.token, data: { shareToken } });
    const theirs = await asked(mate, ofpId);
    expectDifference(theirs, [
      `imported with User_${owner.id}_N63OWN.json, this is for ${base}`,
      ...every((one, here) => `${one} (here ${here})`),
    ]);
    expect(theirs.ofp.ownerProfile?.['differences']).toHaveLength(4);
    const owners = factored(await asked(owner, ofpId));
    expect(owners).toBeGreaterThan(factored(theirs) * 1.2);

    await fleetCalls(api).save(owner, 'N63OWN', base, own, { shareCommunity: true });
    const open = await asked(mate, ofpId);
    expectNone(open);
    expect(factored(open)).toBe(owners);
  });

  test('A profile changed or deleted after the import differs from the plan’s (4.2)', async () => {
    const ofpId = await planOf('N64OWN');
    const before = await asked(owner, ofpId);
    await fleetCalls(api).save(owner, 'N64OWN', base, { ...own, factors: { inflight: 1.1 } });
    const changed = await asked(owner, ofpId);
    expectDifference(changed, ['factors.inflight 1.3 (here 1.1)']);
    expect(changed.ofp.ownerProfile?.['differences']).toEqual([
      { field: 'factors.inflight', owner: 1.3, yours: 1.1 },
    ]);
    expect(factored(changed)).toBeLessThan(factored(before));
    await fleetCalls(api).remove(owner, 'N64OWN');
    expectDifference(
      await asked(owner, ofpId),
      every((one, here) => `${one} (here ${here})`),
    );
    const again = (await imported('N64OWN', { ofpId, ifChanged: false }))['ofp'] as PlanEverywhere['ofp'];
    expect(again.ownerProfile).toMatchObject({ file: base, differences: [] });
  });
});
