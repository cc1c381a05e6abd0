/** Balked landing, brake cooling and the limits of a landing, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let pro: TestUser;
let standard: TestUser;

beforeAll(async () => {
  api = await testApi();
  pro = await api.user();
  standard = await api.user();
  await importAirports(api.context, ['KJFK', 'KDCA', 'KASE', 'KDEN']);
  await api.grant(pro, 'EFB_PRO_M');
  await api.grant(standard, 'EFB_STANDARD_M');
  await runSql(api.context.postgres)`
    INSERT INTO runway_operator (icao, ident, efp_kind, efp_text, author, updated_at)
    VALUES ('KJFK', '13R', 'custom', 'Turn right heading 180.', 'test', now())`;
});
afterAll(() => api.close());

const boeing = '737-800-7B26';
const airbus = 'A320-251N';
const request = (file: string, more: Record<string, unknown> = {}) => ({
  requestType: 'LANDING',
  landingMode: 'inflight',
  units: { distance: 'meter' },
  aircraft: { file, userRegistration: null, virtualAirline: null },
  airport: 'KJFK',
  runway: '13R',
  weight: { landingWeight: 60_000 },
  ...more,
});

interface Balked {
  procedure: string;
  isCalculationRequired: boolean;
  userAllowed: boolean;
  maxLandingWeight: number | null;
  margin: number | null;
  goAroundFlaps: string | null;
}

const perform = async (data: Record<string, unknown>, user: TestUser = pro) => {
  const answer = await api.call('performance', { token: user.token, data });
  expect(answer, JSON.stringify(answer.body).slice(0, 400)).toMatchObject({ status: 200 });
  return answer.body as {
    calculationPossible: boolean;
    caution: string[];
    performance: Record<string, unknown> & { balkedLandingProcedure: Balked };
  };
};
const balked = async (data: Record<string, unknown>, user?: TestUser) =>
  (await perform(data, user)).performance.balkedLandingProcedure;

describe('balkedLandingProcedure', () => {
  test('The standard procedure is the published missed approach, without a calculation (M-2.9.1, M-2.9.b1, M-2.9.b2)', async () => {
    for (const file of [boeing, airbus]) {
      expect(await balked(request(file, { runway: '04L' }))).toMatchObject({
        procedure: expect.stringMatching(/missed approach/i),
        isCalculationRequired: false,
        maxLandingWeight: null,
        margin: null,
      });
    }
  });

  test('A custom procedure is calculated for entitled users, and marked as required for all (M-2.9.2, M-2.9.b3, M-2.9.b4, M-2.9.b5)', async () => {
    for (const file of [boeing, airbus]) {
      const entitled = await balked(request(file));
      expect(entitled).toMatchObject({
        isCalculationRequired: true,
        userAllowed: true,
        maxLandingWeight: expect.any(Number),
      });
      expect(entitled.margin).toBe(Number(entitled.maxLandingWeight) - 60_000);
      expect(await balked(request(file), standard)).toMatchObject({
        isCalculationRequired: true,
        userAllowed: false,
        maxLandingWeight: null,
        margin: null,
      });
    }
    const dispatch = await balked(request(airbus, { landingMode: 'dispatch' }));
    expect(dispatch).toMatchObject({ isCalculationRequired: true, maxLandingWeight: expect.any(Number) });
  });

  test('The go-around flap depends on the family (M-2.9.3a, M-2.9.3b, M-2.9.b6)', async () => {
    const flapFor = async (file: string, flap: string) =>
      (await balked(request(file, { configuration: { flap } }))).goAroundFlaps;
    expect(await flapFor(airbus, 'FULL')).toMatch(/3/);
    expect(await flapFor(airbus, '3')).toMatch(/2/);
    expect(await flapFor(boeing, '30')).toMatch(/15/);
    expect(await flapFor(boeing, '40')).toMatch(/15/);
  });

  test('With a non-normal condition the procedure is N/A (M-2.9.4)', async () => {
    for (const file of [boeing, airbus]) {
      const { aircraft } = (
        await api.call('aircraft', {
          token: pro.token,
          data: { aircraft: file, userRegistration: null, virtualAirline: null },
        })
      ).body as {
        aircraft: { formData: { landing: { nonNormalConf: { value: string }[] } } };
      };
      const nonNormalCondition = aircraft.formData.landing.nonNormalConf.find(
        ({ value }) => value !== 'NONE',
      )?.value;
      expect(await balked(request(file, { configuration: { nonNormalCondition } }))).toEqual({
        procedure: 'N/A',
        isCalculationRequired: false,
        userAllowed: true,
        maxLandingWeight: null,
        margin: null,
        goAroundFlaps: null,
      });
    }
  });

  test('A weight above the balked-landing weight adds a caution (M-2.9.5)', async () => {
    const hot = { weather: { temperature: 49 }, weight: { landingWeight: 78_000 } };
    const { caution, performance } = await perform(request(boeing, hot));
    expect(Number(performance.balkedLandingProcedure.margin)).toBeLessThan(0);
    expect(caution.join(' ')).toMatch(/balked/i);
  });
});

describe('brakes and limits', () => {
  test('Every mode reports its brake cooling, and more energy takes longer (M-2.9.bc1, M-2.9.bc2, M-2.9.bc3, M-2.9.bc4, M-2.9.bc5, M-2.9.bc6)', async () => {
    const { performance } = await perform(request(boeing, { runway: '04L' }));
    const rows = performance['autobrakeLandingDist'] as {
      brakeCoolingSchedule: Record<string, number | boolean | string | null>;
    }[];
    for (const { brakeCoolingSchedule: schedule } of rows) {
      expect(schedule).toMatchObject({
        credit: expect.any(String),
        aerodynamicDrag: expect.any(Boolean),
        energy: expect.any(Number),
      });
      for (const name of ['ground', 'air']) {
        expect(
          typeof schedule[name] === 'number' ||
            schedule[name] === 'CAUTION' ||
            schedule[name] === 'FUSE MELT',
        ).toBe(true);
      }
      expect(schedule).toHaveProperty('btms');
    }
    const heavy = (await perform(request(boeing, { runway: '04L', weight: { landingWeight: 66_000 } })))
      .performance;
    const energyOf = (list: unknown) =>
      (list as { brakeCoolingSchedule: { energy: number } }[])[0]?.brakeCoolingSchedule.energy ?? 0;
    expect(energyOf(heavy['autobrakeLandingDist'])).toBeGreaterThan(energyOf(rows));
  });

  test('The actual distance of a family A dispatch is that of manual braking in flight (M-2.9.d3)', async () => {
    const dispatch = (
      await perform(
        request(airbus, { landingMode: 'dispatch', runway: '04L', configuration: { flap: 'FULL' } }),
      )
    ).performance;
    const weight = { landingWeight: Number(dispatch['landingWeight']) };
    const inflight = (
      await perform(request(airbus, { runway: '04L', weight, configuration: { flap: 'FULL' } }))
    ).performance;
    const rows = inflight['autobrakeLandingDist'] as { label: string; unfactoredDistance: number }[];
    const manual = rows.find(({ label }) => /man/i.test(label));
    expect(
      Math.abs(Number(dispatch['actualLandingDistance']) - Number(manual?.unfactoredDistance)),
    ).toBeLessThanOrEqual(1);
  });

  test('Structure, field length, climb and missed-approach gradient each limit where they should (M-2.9.w14)', async () => {
    const limitedBy = async (data: Record<string, unknown>) =>
      (await perform({ ...data, landingMode: 'dispatch' })).performance['limitedBy'];
    expect(await limitedBy(request(boeing, { runway: '13R' }))).toBe('STRUCT.');
    expect(
      await limitedBy(request(boeing, { airport: 'KDCA', runway: '15', runwayCondition: { state: 'WET' } })),
    ).toBe('FIELD');
    expect(
      await limitedBy(request(boeing, { airport: 'KDEN', runway: '16R', weather: { temperature: 45 } })),
    ).toMatch(/CLIMB|QUICK/);
    expect(await limitedBy(request(airbus, { configuration: { missedApproachClimbGradient: 9 } }))).toBe(
      'MACG',
    );
  });
});
