import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calculationWrites } from '#store/postgres/performance/calculations.ts';
import { allowanceWrites } from '#store/postgres/subscriptions/allowances.ts';
import type { CalculationKind } from '#domain/performance/history.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { runSql } from '#test/support/sql.ts';
import { at, refusal } from '#test/support/answers.ts';
import { statementsDuring } from '#test/support/statements.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const statistics = (user: TestUser) => api.call('userStatistics', { token: user.token });

const calculate = (
  user: TestUser,
  kind: CalculationKind,
  options: { profile?: string; airport?: string | null; at?: string } = {},
) =>
  api.context.postgres.transaction((tx) =>
    calculationWrites(tx).insert({
      publicId: randomUUID(),
      userId: user.id,
      logId: null,
      kind,
      profile: options.profile ?? 'b738.json',
      airport: options.airport === undefined ? 'EDDF' : options.airport,
      request: {},
      result: {},
      drawing: null,
      createdAt: new Date(options.at ?? '2026-09-16T11:00:00Z'),
    }),
  );

describe('userStatistics', () => {
  test('A new user has zero counters and empty lists (M-4.6.q8, M-2.7.t1, M-2.7.t2, M-2.7.t22)', async () => {
    const user = await api.user();
    const answer = await statistics(user);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      apiVersion: '1.3.6',
      query: 'userStatistics',
      calculations: { takeoff: 0, landingDispatch: 0, landingEnroute: 0, other: 0, total: 0 },
      allowance30d: {
        baseAllowed: 10,
        extraCalculationGift: 0,
        totalAllowed: 10,
        used: 0,
        remaining: 10,
        overage: 0,
        usagePct: 0,
        windowDays: 30,
      },
      mostUsedAircraft: [],
      usageHabits: { weekday: [], hourOfDay: [] },
      mostUsedAirports: [],
      statistics: {
        libraryUsedBytes: 0,
        libraryAvailableMb: 0,
        storageUsedBytes: 0,
        storageQuotaMb: 250,
        checklistCount: 0,
        checklistLimit: 100,
      },
    });
  });

  test('Calculations are counted by kind, only for this user (M-2.7.t3, M-2.7.t4, M-2.7.t5, M-2.7.t6, M-2.7.t7)', async () => {
    const [user, other] = [await api.user(), await api.user()];
    await calculate(user, 'takeoff');
    await calculate(user, 'landingDispatch');
    await calculate(user, 'landingDispatch');
    await calculate(user, 'landingEnroute');
    await calculate(user, 'other');
    await calculate(other, 'takeoff');
    expect(at(await statistics(user), 'calculations')).toEqual({
      takeoff: 1,
      landingDispatch: 2,
      landingEnroute: 1,
      other: 1,
      total: 5,
    });
  });

  test('The allowance comes from the product, gifts and the last 30 days (M-2.7.t8, M-2.7.t9, M-2.7.t10, M-2.7.t11, M-2.7.t12, M-2.7.t13, M-2.7.t14, M-2.7.t15, G-33)', async () => {
    const user = await api.user();
    await api.grant(user, 'EFB_LITE_M');
    await runSql(api.context.postgres)`
      UPDATE subscription SET starts_at = starts_at - interval '40 days' WHERE user_id = ${user.id}`;
    const shown = async () => at(await statistics(user), 'allowance30d');
    const now = api.context.clock.now().getTime();
    const daysAgo = (days: number) => new Date(now - days * 86_400_000);
    await api.context.postgres.transaction(async (tx) => {
      await allowanceWrites(tx).gift(user.id, 5, daysAgo(29));
      await allowanceWrites(tx).gift(user.id, 100, daysAgo(31));
    });
    for (let i = 0; i < 3; i += 1) await calculate(user, 'landingDispatch');
    await calculate(user, 'landingDispatch', { at: daysAgo(30).toISOString() });
    expect(await shown()).toEqual({
      baseAllowed: 50,
      extraCalculationGift: 5,
      totalAllowed: 55,
      used: 3,
      remaining: 52,
      overage: 0,
      usagePct: 5.5,
      windowDays: 30,
    });
    for (let i = 0; i < 54; i += 1) await calculate(user, 'takeoff');
    expect(await shown()).toMatchObject({ used: 57, remaining: 0, overage: 2, usagePct: 103.6 });
  });

  test('Most used aircraft and airports are listed in descending order (M-2.7.t16, M-2.7.t19)', async () => {
    const user = await api.user();
    await calculate(user, 'takeoff', { profile: 'a320.json', airport: 'LFPG' });
    await calculate(user, 'takeoff', { profile: 'b738.json', airport: 'KBOS' });
    await calculate(user, 'takeoff', { profile: 'b738.json', airport: 'KBOS' });
    await calculate(user, 'takeoff', { profile: 'b738.json', airport: null });
    const answer = await statistics(user);
    expect(at(answer, 'mostUsedAircraft')).toEqual([
      { profile: 'b738.json', total: 3 },
      { profile: 'a320.json', total: 1 },
    ]);
    expect(at(answer, 'mostUsedAirports')).toEqual([
      { icao: 'KBOS', total: 2 },
      { icao: 'LFPG', total: 1 },
    ]);
  });

  test('At most ten aircraft and ten airports are listed, ties by name, while the totals count all (M-2.7.t16, M-2.7.t19)', async () => {
    const user = await api.user();
    const letters = 'LKJIHGFEDCBA'.split('');
    for (const letter of letters)
      await calculate(user, 'takeoff', { profile: `${letter}.json`, airport: `ED${letter}A` });
    await calculate(user, 'other', { profile: 'L.json', airport: 'EDLA' });
    const answer = await statistics(user);
    const shown = ['L', ...letters.toReversed().slice(0, 9)];
    const total = (i: number) => (i === 0 ? 2 : 1);
    expect(at(answer, 'mostUsedAircraft')).toEqual(
      shown.map((letter, i) => ({ profile: `${letter}.json`, total: total(i) })),
    );
    expect(at(answer, 'mostUsedAirports')).toEqual(
      shown.map((letter, i) => ({ icao: `ED${letter}A`, total: total(i) })),
    );
    expect(at(answer, 'calculations')).toMatchObject({ takeoff: 12, other: 1, total: 13 });
  });

  test('One statement reads everything: calculations once for all groups, their times, and those for the allowance', async () => {
    const user = await api.user();
    const statements = await statementsDuring(() => statistics(user));
    const [read = '', ...others] = statements.filter((text) => /\b(calculation|library_space)\b/.test(text));
    expect(read.match(/\bFROM calculation\b/g)).toHaveLength(2);
    expect(others).toEqual([]);
  });

  test('Habits are given by weekday and hour in UTC (M-2.7.t17, M-2.7.t18)', async () => {
    const user = await api.user();
    // A Sunday, late; a Monday, early.
    await calculate(user, 'takeoff', { at: '2026-09-13T23:59:00Z' });
    await calculate(user, 'takeoff', { at: '2026-09-14T00:01:00Z' });
    await calculate(user, 'takeoff', { at: '2026-09-14T00:30:00Z' });
    const answer = await statistics(user);
    expect(at(answer, 'usageHabits', 'weekday')).toEqual([
      { label: 'Monday', count: 2 },
      ...['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((label) => ({ label, count: 0 })),
      { label: 'Sunday', count: 1 },
    ]);
    const hours = at(answer, 'usageHabits', 'hourOfDay') as { hour: number; label: string; count: number }[];
    expect(hours.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    expect(hours.filter(({ count }) => count > 0)).toEqual([
      { hour: 0, label: '00:00', count: 2 },
      { hour: 23, label: '23:00', count: 1 },
    ]);
  });

  test.each([
    // Summer time until 2026-10-25 or 2026-11-01, then winter time: each calculation has the offset of its day.
    { timeZone: 'Europe/Berlin', days: { Saturday: 1, Sunday: 1 }, hours: { 1: 1, 23: 1 } },
    { timeZone: 'Asia/Kolkata', days: { Sunday: 2 }, hours: { 4: 2 } },
    { timeZone: 'Asia/Kathmandu', days: { Sunday: 2 }, hours: { 4: 1, 5: 1 } },
    { timeZone: 'America/Los_Angeles', days: { Saturday: 2 }, hours: { 14: 1, 16: 1 } },
    { timeZone: '-09:30', days: { Saturday: 2 }, hours: { 13: 2 } },
    { timeZone: 'europe/berlin', days: { Saturday: 1, Sunday: 1 }, hours: { 1: 1, 23: 1 } },
  ])(
    'Habits are given in the user’s time zone: $timeZone (M-2.7.t17, M-2.7.t18)',
    async ({ timeZone, days, hours }) => {
      const user = await api.user();
      await calculate(user, 'takeoff', { at: '2026-10-24T23:20:00Z' });
      await calculate(user, 'takeoff', { at: '2026-11-14T22:59:00Z' });
      const answer = await api.call('userStatistics', { token: user.token, data: { timeZone } });
      const habits = at(answer, 'usageHabits') as {
        weekday: { label: string; count: number }[];
        hourOfDay: { hour: number; count: number }[];
      };
      const used = (list: [string | number, number][]) =>
        Object.fromEntries(list.filter(([, count]) => count > 0));
      expect(used(habits.weekday.map(({ label, count }) => [label, count]))).toEqual(days);
      expect(used(habits.hourOfDay.map(({ hour, count }) => [hour, count]))).toEqual(hours);
    },
  );

  test('An unknown time zone is refused, and the default is UTC', async () => {
    const user = await api.user();
    await calculate(user, 'takeoff');
    const of = (timeZone: unknown) => api.call('userStatistics', { token: user.token, data: { timeZone } });
    for (const timeZone of ['Europe/Atlantis', '', 7, `Europe/${'x'.repeat(100)}`, "UTC'"])
      expect(refusal(await of(timeZone))).toEqual([400, 'INVALID_FIELD']);
    expect((await of(null)).body).toEqual((await statistics(user)).body);
  });

  test('The library storage is that of the product (M-2.7.t20, M-2.7.t21, M-4.4.q8)', async () => {
    const user = await api.user();
    await api.grant(user, 'EFB_STANDARD_M');
    expect(at(await statistics(user), 'statistics')).toEqual({
      libraryUsedBytes: 0,
      libraryAvailableMb: 500,
      storageUsedBytes: 0,
      storageQuotaMb: 1000,
      checklistCount: 0,
      checklistLimit: 300,
    });
  });

  test('A call requires a token (M-5.3)', async () => {
    expect(refusal(await api.call('userStatistics'))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
