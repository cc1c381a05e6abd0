import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { airline, join } from '#test/support/airlines.ts';
import type { AirlinePeople } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { newChecklist, saveChecklist } from '#test/support/checklists.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let pilot: TestUser;
let raters: TestUser[];
let alpha: AirlinePeople;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  raters = [await api.user(), await api.user(), await api.user()];
  alpha = await airline(api, 'Alpha Air');
});
afterAll(() => api.close());

const shared = () => newChecklist(api, pilot, { shareCommunity: true });
const rate = (user: TestUser | undefined, checklistId: unknown, rating: unknown) =>
  api.call('checklistRate', { token: user?.token ?? '', data: { checklistId, rating } });
const scoreOf = async (checklistId: string): Promise<unknown[]> => {
  const answer = await api.call('checklistGet', { token: pilot.token, data: { checklistId } });
  return [at(answer, 'data', 'ratingAverage'), at(answer, 'data', 'ratingCount')];
};

describe('checklistRate', () => {
  test('The answer has the mean of all ratings to two decimals, and a second rating replaces the first (M-2.2.s3, M-2.2.4a, M-2.2.4d, M-2.2.f7, M-2.2.f8)', async () => {
    const id = await shared();
    const first = await rate(raters[0], id, 5);
    expect([first.status, first.body]).toEqual([
      200,
      {
        success: true,
        apiVersion: '1.3.6',
        data: { checklistId: id, rating: 5, ratingAverage: 5, ratingCount: 1 },
      },
    ]);
    expect(at(await rate(raters[1], id, 4), 'data')).toMatchObject({ ratingAverage: 4.5, ratingCount: 2 });
    expect(at(await rate(raters[2], id, 1), 'data')).toMatchObject({ ratingAverage: 3.33, ratingCount: 3 });
    expect(at(await rate(raters[0], id, 1), 'data')).toMatchObject({ ratingAverage: 2, ratingCount: 3 });
    expect(await scoreOf(id)).toEqual([2, 3]);
  });

  test('Built-in checklists can be rated by every form of their id, including those of older versions (M-2.2.4a, M-2.2.k7, A-31)', async () => {
    const id = 'default:1.3.6:737ng';
    const forms = [id, '737ng', 'default:1.2.0:737ng'];
    for (const [i, form] of forms.entries())
      expect(at(await rate(raters[i], form, 5 - i), 'data')).toMatchObject({
        checklistId: id,
        rating: 5 - i,
      });
    for (const form of forms) expect(await scoreOf(form)).toEqual([4, 3]);
    expect(await scoreOf('a320-family')).toEqual([0, 0]);
  });

  test('50 concurrent ratings by one user count once, for stored and built-in checklists (M-2.2.4d)', async () => {
    for (const id of [await shared(), 'default:1.3.6:777']) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => rate(raters[0], id, (i % 5) + 1)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const [average, count] = await scoreOf(id);
      expect(count).toBe(1);
      expect([1, 2, 3, 4, 5]).toContain(average);
      expect(at(await rate(raters[0], id, 2), 'data')).toMatchObject({ ratingAverage: 2, ratingCount: 1 });
    }
  });

  test('Concurrent ratings by many users all count', async () => {
    const id = await shared();
    await Promise.all(raters.flatMap((user, i) => [rate(user, id, 1), rate(user, id, i + 3)]));
    await Promise.all(raters.map((user, i) => rate(user, id, i + 3)));
    expect(await scoreOf(id)).toEqual([4, 3]);
  });

  test('Users cannot rate their own checklists or those of their airlines; others only if they are shared (M-2.2.4b, M-2.2.4c, M-7.k9, M-7.k10, A-15)', async () => {
    for (const shareCommunity of [true, false]) {
      const mine = await newChecklist(api, pilot, { shareCommunity });
      expect(refusal(await rate(pilot, mine, 5))).toEqual([403, 'CANNOT_RATE_OWN']);
      const theirs = await newChecklist(api, alpha.admin, { isVA: true, shareCommunity });
      for (const user of [alpha.admin, alpha.member])
        expect(refusal(await rate(user, theirs, 5))).toEqual([403, 'CANNOT_RATE_OWN']);
      if (shareCommunity) continue;
      for (const id of [mine, theirs])
        expect(refusal(await rate(raters[0], id, 5))).toEqual([403, 'NOT_SHARED']);
    }
  });

  test('A checklist made private cannot be rated, and its ratings count again once it is shared (M-2.2.4c)', async () => {
    const id = await shared();
    await rate(raters[0], id, 4);
    await saveChecklist(api, pilot, { checklistId: id, shareCommunity: false });
    expect(refusal(await rate(raters[1], id, 5))).toEqual([403, 'NOT_SHARED']);
    await saveChecklist(api, pilot, { checklistId: id, shareCommunity: true });
    expect(at(await rate(raters[1], id, 5), 'data')).toMatchObject({ ratingAverage: 4.5, ratingCount: 2 });
  });

  test('The ratings of a deleted account no longer count', async () => {
    const leaving = await api.user();
    const id = await shared();
    for (const target of [id, '787']) {
      await rate(leaving, target, 1);
      await rate(raters[0], target, 5);
      expect(await scoreOf(target)).toEqual([3, 2]);
    }
    await runSql(api.context.postgres)`DELETE FROM app_user WHERE id = ${leaving.id}`;
    for (const target of [id, '787']) expect(await scoreOf(target)).toEqual([5, 1]);
  });

  test('Ratings other than whole numbers from 1 to 5 are refused (M-4.1.q5, M-7.k8, M-8.2)', async () => {
    const id = await shared();
    for (const rating of [0, 6, 3.5, '5', null, undefined, true, [5]])
      expect([rating, refusal(await rate(raters[0], id, rating))]).toEqual([rating, [400, 'INVALID_RATING']]);
    for (const rating of [1, 5]) expect((await rate(raters[0], id, rating)).status).toBe(200);
  });

  test('Missing, invalid and unknown ids are refused (M-7.k2, M-7.k3, M-7.k14, A-13)', async () => {
    for (const id of [undefined, null, ''])
      expect(refusal(await rate(pilot, id, 5))).toEqual([400, 'MISSING_CHECKLIST_ID']);
    for (const id of ['abc', 5])
      expect(refusal(await rate(pilot, id, 5))).toEqual([400, 'INVALID_CHECKLIST_ID']);
    for (const id of ['00000000-0000-4000-8000-000000000000', 'default:1.3.6:none'])
      expect(refusal(await rate(pilot, id, 5))).toEqual([404, 'NOT_FOUND']);
  });

  test('A member of several airlines cannot rate for any of them (M-2.2.4b)', async () => {
    await airline(api, 'Beta Air');
    const [id, user] = [
      await newChecklist(api, alpha.admin, { isVA: true, shareCommunity: true }),
      await api.user(),
    ];
    expect((await rate(user, id, 5)).status).toBe(200);
    for (const va of ['Alpha Air', 'Beta Air']) await join(api, user, va);
    expect(refusal(await rate(user, id, 5))).toEqual([403, 'CANNOT_RATE_OWN']);
  });

  test('A database failure is answered with DB_ERROR (M-7.k15)', async () => {
    const { postgres } = api.context;
    const id = await shared();
    await runSql(postgres)`ALTER TABLE checklist_rating ADD CONSTRAINT broken CHECK (rating <> 3) NOT VALID`;
    for (const target of [id, '757-767'])
      expect(refusal(await rate(raters[0], target, 3))).toEqual([500, 'DB_ERROR']);
    await runSql(postgres)`ALTER TABLE checklist_rating DROP CONSTRAINT broken`;
    expect(await scoreOf(id)).toEqual([0, 0]);
  });

  test('A call without a token is refused (M-7.k1)', async () => {
    const data = { checklistId: '737ng', rating: 5 };
    expect(refusal(await api.call('checklistRate', { data }))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
