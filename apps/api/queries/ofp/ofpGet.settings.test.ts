/** Settings in the performance section of a plan, as applied by every operation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planJsonOf } from '#simulated/planner/formats.ts';
import { oldJsonOf, writePlan } from '#test/support/plan-formats.ts';
import type { PlanTree } from '#simulated/planner/formats.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { askEverywhere } from '#test/support/entry-points.ts';
import type { PlanEverywhere } from '#test/support/entry-points.ts';
import { planTree } from '#test/support/ofp.ts';

let api: TestApi;
let user: TestUser;
let devKey: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  devKey = await api.key({ weather: true });
  await importAirports(api.context, ['KJFK', 'KBOS']);
  await api.grant(user, 'EFB_COMMERCIAL_Y');
});
afterAll(() => api.close());

interface Settings {
  takeoff: PlanTree;
  landing: PlanTree;
  reverser: string;
}

let requestId = 184_800_000;
/** With a row for each runway, the planned one last. */
const treeOf = ({ takeoff, landing, reverser }: Settings, aircraft?: object): PlanTree => {
  requestId += 1;
  const tree = planTree({ requestId: String(requestId), ...aircraft });
  const sections = tree['tlr'] as Record<'takeoff' | 'landing', PlanTree>;
  const row = { flap_setting: '1', thrust_setting: 'TO', bleed_setting: 'ON', anti_ice_setting: 'OFF' };
  const runway = [
    { identifier: '33L', ...row },
    { identifier: '04R', ...row, ...takeoff },
  ];
  const distance = (name: string) => ({
    [name]: { ...(sections.landing[name] as PlanTree), reverser_credit: reverser },
  });
  const conditions = { ...(sections.landing['conditions'] as PlanTree), ...landing };
  return {
    ...tree,
    tlr: {
      takeoff: { ...sections.takeoff, runway },
      landing: {
        ...sections.landing,
        conditions,
        ...distance('distance_dry'),
        ...distance('distance_wet'),
      },
    },
  };
};

const asked = async (source: 'json' | 'xml', document: unknown): Promise<PlanEverywhere> => {
  const { status, body } = await api.call('ofpImport', { token: user.token, data: { source, document } });
  expect(status).toBe(200);
  const found = await askEverywhere(api, devKey, user, String(body['ofpId']));
  expect(body['ofp']).toEqual(found.ofp);
  return found;
};
const shortest = ({ landing }: PlanEverywhere): number =>
  Math.min(
    ...(landing.performance['autobrakeLandingDist'] as { factoredDistance: number }[]).map(
      (mode) => mode.factoredDistance,
    ),
  );
const notCarried = (cautions: unknown) =>
  (cautions as { code: string; text: string }[]).find(({ code }) => code === 'SETTINGS_NOT_CARRIED')?.text;

const boeing: Settings = {
  takeoff: {
    flap_setting: '15',
    thrust_setting: 'D-TO1',
    flex_temperature: '40',
    bleed_setting: 'OFF',
    anti_ice_setting: 'ENGINE & WING',
  },
  landing: { flap_setting: '40' },
  reverser: 'NO',
};

describe('weight limits and aircraft type of a plan', () => {
  test('A weight at the limit published in pounds is not above it, in kilograms or pounds (4.2)', async () => {
    for (const defaultUnit of ['METRIC', 'IMPERIAL']) {
      await api.call('saveUserSettings', { token: user.token, data: { defaultUnit } });
      const tree = planTree({ requestId: String((requestId += 1)) });
      const weights = { ...(tree['weights'] as PlanTree), est_tow: '174200', est_ldw: '146300' };
      const { ofp, takeoff, landing, table } = await asked('json', planJsonOf({ ...tree, weights }));
      const { takeoff: start, landing: arrival } = ofp.performanceDefaults;
      expect([start['weight'], arrival['weight']]).toEqual(
        defaultUnit === 'IMPERIAL'
          ? [{ takeoffWeight: 174_200 }, { landingWeight: 146_300 }]
          : [{ takeoffWeight: 79_016 }, { landingWeight: 66_361 }],
      );
      expect([takeoff.performance.verdict, table.takeoff['verdict']]).toEqual(['FITS', 'FITS']);
      expect([landing.performance.verdict, table.landing['verdict']]).toEqual(['FITS', 'FITS']);
      for (const { cautions, performance } of [takeoff, landing]) {
        expect(performance['limitsExceeded']).toEqual([]);
        expect(cautions.map(({ text }) => text).join()).not.toMatch(/weight[^.]*exceeds|too heavy/i);
      }
    }
    await api.call('saveUserSettings', { token: user.token, data: { defaultUnit: 'METRIC' } });
  });

  test('A type without a profile is reported at import, and no query calculates with it (4.2)', async () => {
    const aircraft = { icao: 'C172', name: 'CESSNA', engines: 'IO-360', registration: 'N0CES' };
    const document = planJsonOf(planTree({ requestId: String((requestId += 1)), aircraft }));
    const { token } = user;
    const { body } = await api.call('ofpImport', { token, data: { source: 'json', document } });
    expect(body['warnings']).toContainEqual(expect.objectContaining({ code: 'AIRCRAFT_UNKNOWN' }));
    const { ofpId } = body;
    const got = await api.call('ofpGet', { token, data: { ofpId, view: 'summary' } });
    expect(got.body['ofp']).toEqual(body['ofp']);
    const ofp = body['ofp'] as PlanEverywhere['ofp'];
    const { takeoff, landing } = ofp.performanceDefaults;
    expect([ofp['profileMatch'], ofp.ownerProfile, takeoff.aircraft, landing.aircraft]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect([takeoff.configuration, landing.configuration]).toEqual([{}, {}]);
    for (const [query, data] of [
      ['performance', takeoff],
      ['performance', landing],
      ['performanceAirport', { airport: 'KJFK', aircraft: null }],
    ] as const)
      expect([query, (await api.call(query, { token, data })).status]).toEqual([query, 400]);
    const brief = await api.call('briefing', { token, devKey, data: { ofpId } });
    expect(brief.body).toMatchObject({
      takeoff: { answer: null, error: { code: 'INVALID_INPUT' } },
      landing: { answer: null, error: { code: 'INVALID_INPUT' } },
    });
  });
});

describe('settings in the performance section of a plan', () => {
  test('Flap, thrust, bleeds, anti-ice and reverser credit apply to every calculation, in each format (4.2)', async () => {
    const plans: PlanEverywhere[] = [];
    for (const [source, document] of [
      ['json', JSON.stringify(oldJsonOf(treeOf(boeing)))],
      ['json', planJsonOf(treeOf(boeing))],
      ['xml', writePlan(treeOf(boeing), 'xml')],
    ] as const) {
      const plan = await asked(source, document);
      plans.push(plan);
      const { ofp, takeoff, landing } = plan;
      const { performanceDefaults: defaults } = ofp;
      expect(defaults.takeoff.configuration).toEqual({
        flap: '15',
        rating: 'TO-1',
        assumedTemperature: 40,
        acBleed: 'OFF',
        antiIce: 'ENGINE_WING',
      });
      expect(defaults.landing.configuration).toEqual({ flap: '40', reverser: 'NONE' });
      expect(takeoff.performance).toMatchObject({ flap: '15', rating: 'TO-1' });
      expect(landing.performance).toMatchObject({ flap: '40' });
      for (const { cautions } of [takeoff, landing]) expect(notCarried(cautions)).toBeUndefined();
    }
    const credited = await asked('json', planJsonOf(treeOf({ ...boeing, reverser: 'YES' })));
    expect(credited.ofp.performanceDefaults.landing.configuration).toMatchObject({ reverser: 'ALL' });
    for (const without of plans) expect(shortest(without)).toBeGreaterThanOrEqual(shortest(credited));
  });

  test('Flap and thrust of an Airbus are recognised under their SimBrief names (4.2)', async () => {
    const { ofp, takeoff } = await asked(
      'json',
      planJsonOf(
        treeOf(
          {
            takeoff: { flap_setting: 'CONF 1+F', thrust_setting: 'FLEX', flex_temperature: '52' },
            landing: { flap_setting: 'FULL' },
            reverser: 'YES',
          },
          {
            aircraft: { icao: 'A320', name: 'A320-200', engines: 'CFM56-5B4', registration: 'N0ABC' },
            loads: {
              oew: 94_000,
              payload: 26_500,
              maxZfw: 137_000,
              maxTow: 171_900,
              maxLdw: 145_500,
              burn: 6_400,
            },
          },
        ),
      ),
    );
    const { takeoff: start, landing } = ofp.performanceDefaults;
    expect(start.configuration).toMatchObject({ flap: '1+F', rating: 'FLEX', assumedTemperature: 52 });
    expect(landing.configuration).toEqual({ flap: 'FULL', reverser: 'ALL' });
    expect(takeoff.performance).toMatchObject({ flap: '1+F' });
  });

  test('A setting without a matching aircraft option is named in every answer, and an absent setting is not (4.2)', async () => {
    const plan = await asked(
      'json',
      planJsonOf(
        treeOf({
          takeoff: {
            flap_setting: '7',
            thrust_setting: 'MCT',
            bleed_setting: 'APU',
            anti_ice_setting: 'N/A',
          },
          landing: { flap_setting: '20' },
          reverser: 'YES',
        }),
      ),
    );
    const { takeoff, landing } = plan.ofp.performanceDefaults;
    expect([takeoff.configuration, landing.configuration]).toEqual([{}, { reverser: 'ALL' }]);
    const texts = [takeoff, landing].map(({ sources }) => sources['configuration']?.text);
    expect(texts).toEqual([
      'The plan was made with flap 7, thrust MCT, bleeds APU, for which this aircraft has no option: the default was taken.',
      'The plan was made with flap 20, for which this aircraft has no option: the default was taken.',
    ]);
    const { printed, table } = plan;
    for (const found of [
      [plan.takeoff.cautions, plan.landing.cautions].map(notCarried),
      [table.takeoff['cautions'], table.landing['cautions']].map(notCarried),
      [printed.takeoff['Settings'], printed.landing['Settings']],
    ])
      expect(found).toEqual(texts);
  });
});
