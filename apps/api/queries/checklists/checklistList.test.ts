import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { airline, join } from '#test/support/airlines.ts';
import type { AirlinePeople } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { newChecklist, saveChecklist } from '#test/support/checklists.ts';
import { statementsDuring } from '#test/support/statements.ts';

let api: TestApi;
let alpha: AirlinePeople;
beforeAll(async () => {
  api = await testApi();
  alpha = await airline(api, 'Alpha Air');
  await airline(api, 'Beta Air');
});
afterAll(() => api.close());

type Item = Record<string, unknown>;
const list = async ({ token }: TestUser, data: Item = {}): Promise<Record<string, Item[]>> =>
  at(await api.call('checklistList', { token, data }), 'data') as Record<string, Item[]>;
const rate = ({ token }: TestUser, checklistId: string, rating: number) =>
  api.call('checklistRate', { token, data: { checklistId, rating } });
const statistic = ['userStatisticsSinceLastLogin', 'newCommunityChecklists'];
const names = (items: Item[] = []) => items.map(({ name }) => name);

describe('checklistList', () => {
  test('A new user has empty lists and the built-in checklists (M-2.2.m1, M-2.2.m2, M-2.2.m3, M-2.2.m4, M-4.1.q1)', async () => {
    const { token } = await api.user();
    const { status, body } = await api.call('checklistList', { token });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        apiVersion: '1.3.6',
        data: {
          userChecklists: [],
          vaChecklists: [],
          communityChecklists: [],
          defaultChecklists: expect.any(Array),
        },
      },
    ]);
  });

  test('Built-in checklists cover aircraft of both families (M-2.2.k1, M-2.2.k2, M-2.2.k7, M-2.2.n1, M-2.2.n2, M-2.2.n3, M-2.2.n4, M-2.2.n5, M-2.2.n6, M-2.2.n7)', async () => {
    const user = await api.user();
    const { defaultChecklists = [] } = await list(user);
    expect(names(defaultChecklists)).toEqual([
      '737 MAX',
      '737 NG',
      '747-8',
      '757 and 767',
      '777',
      '787',
      'A320 family',
      'A330-300',
      'A350-900',
      'A380-800',
    ]);
    for (const { file, checklistId, ...rest } of defaultChecklists) {
      expect(checklistId).toBe(`default:1.3.6:${String(file)}`);
      expect(rest).toEqual({
        name: expect.any(String),
        description: expect.stringMatching(/.{20,}/),
        version: '1.0',
        aircraftTypes: expect.arrayContaining([expect.stringMatching(/^[AB][0-9A-Z]{3}$/)]),
        ratingAverage: 0,
        ratingCount: 0,
      });
      const { checklists } = at(
        await api.call('checklistGet', { token: user.token, data: { checklistId } }),
        'data',
        'checklist',
      ) as {
        checklists: { title: string; items: { challenge: string; response: string; isLine: boolean }[] }[];
      };
      const titles = checklists.map(({ title }) => title.toLowerCase());
      expect(new Set(titles).size).toBe(titles.length);
      for (const phase of ['before start', 'descent', 'approach', 'landing', 'after landing'])
        expect([file, titles.some((title) => title.startsWith(phase))]).toEqual([file, true]);
      const items = checklists.flatMap((page) => page.items);
      expect(items.length).toBeGreaterThan(60);
      expect(
        items.filter(({ isLine, challenge, response }) => challenge === '' || (response === '' && !isLine)),
      ).toEqual([]);
    }
    await rate(user, 'default:1.3.6:787', 4);
    expect((await list(user))['defaultChecklists']).toContainEqual(
      expect.objectContaining({ file: '787', ratingAverage: 4, ratingCount: 1 }),
    );
  });

  test('The caller’s checklists are listed by name, with keys in both spellings (M-2.2.l1, M-2.2.l2, M-2.2.l3, M-2.2.l4, M-2.2.l5, M-2.2.l6, M-2.2.l7)', async () => {
    const [user, rater] = [await api.user(), await api.user()];
    const second = await newChecklist(api, user, { name: 'beta', version: '2', shareCommunity: true });
    const first = await newChecklist(api, user, { name: 'Alpha' });
    await rate(rater, second, 3);
    const common = { isMine: true, revision: expect.any(Number), updatedAt: expect.any(String) };
    expect((await list(user))['userChecklists']).toEqual([
      {
        checklist_id: first,
        name: 'Alpha',
        version: '1.0',
        share_community: 0,
        ratingAverage: 0,
        rating_count: 0,
        ...common,
      },
      {
        checklist_id: second,
        name: 'beta',
        version: '2',
        share_community: 1,
        ratingAverage: 3,
        rating_count: 1,
        ...common,
      },
    ]);
    expect((await list(rater))['userChecklists']).toEqual([]);
    await saveChecklist(api, user, { checklistId: second, shareCommunity: false });
  });

  test('Checklists of all airlines of a member are listed with the airline’s name; mine are those of the active one (M-2.2.k5, M-2.2.f10, G-13)', async () => {
    const user = await api.user();
    for (const va of ['Alpha Air', 'Beta Air']) await join(api, user, va);
    const isVA = true;
    const first = await newChecklist(api, alpha.full, { isVA, vaName: 'alpha air', name: 'One' });
    const second = await newChecklist(api, alpha.full, { isVA, vaName: 'beta air', name: 'Two' });
    const item = (id: string, name: string, va: string) => ({
      checklist_id: id,
      checklistId: id,
      name,
      version: '1.0',
      share_community: 0,
      ratingAverage: 0,
      rating_count: 0,
      isMine: false,
      revision: expect.any(Number),
      updatedAt: expect.any(String),
      virtual_airline: va,
    });
    const [one, two] = [item(first, 'One', 'Alpha Air'), item(second, 'Two', 'Beta Air')];
    expect((await list(user))['vaChecklists']).toEqual([one, two]);
    expect((await list(alpha.member))['vaChecklists']).toEqual([one]);
    // Of the two admins, one administers every airline.
    expect((await list(alpha.full))['vaChecklists']).toEqual([one, two]);
    expect((await list(alpha.admin))['vaChecklists']).toEqual([
      expect.objectContaining({ checklist_id: first }),
    ]);
    expect((await list(await api.user()))['vaChecklists']).toEqual([]);
    const memberships = at(await api.call('refreshUserData', { token: user.token }), 'user', 'vaMemberships');
    const [{ id } = { id: 0 }] = memberships as { id: number }[];
    await api.call('updateProfile', { token: user.token, data: { activeVaId: id } });
    expect((await list(user))['vaChecklists']).toEqual([{ ...one, isMine: true }, two]);
  });

  test('The community list is sorted by rating and shows the owner’s alias or initials and the caller’s own rating (M-2.2.5, M-2.2.k6, G-13)', async () => {
    const owner = await api.user({ firstname: 'zoë', lastname: 'Ångström' });
    const aliased = await api.user();
    await api.call('updateProfile', { token: aliased.token, data: { streamingAlias: 'Captain Sky' } });
    const raters = [await api.user(), await api.user(), await api.user()];
    const make = async (user: TestUser, name: string, ratings: number[], more: Item = {}) => {
      const id = await newChecklist(api, user, { name, shareCommunity: true, ...more });
      for (const [i, rating] of ratings.entries()) await rate(raters[i] ?? owner, id, rating);
      return id;
    };
    await make(owner, 'unrated', []);
    await make(owner, 'good', [4, 4], { basedOn: '787' });
    await make(aliased, 'best', [5]);
    await make(alpha.admin, 'good by more', [5, 4, 3], { isVA: true });
    await newChecklist(api, owner, { name: 'private' });
    const { communityChecklists = [] } = await list(raters[1] ?? owner);
    expect(names(communityChecklists)).toEqual(['best', 'good by more', 'good', 'unrated']);
    const page = await list(owner, { limit: 2, offset: 1 });
    expect([names(page['communityChecklists']), names(page['userChecklists'])]).toEqual([
      ['good by more', 'good'],
      ['private', 'unrated'],
    ]);
    expect(names((await list(alpha.full, { limit: 1, offset: 1 }))['vaChecklists'])).toEqual(['One']);
    expect((await list(owner, { offset: 500 }))['communityChecklists']).toEqual([]);
    const about = communityChecklists.map(
      ({ ownerName, basedOn, myRating, ratingAverage, rating_count: count }) => [
        ownerName,
        basedOn,
        myRating,
        ratingAverage,
        count,
      ],
    );
    expect(about).toEqual([
      ['Captain Sky', null, null, 5, 1],
      ['Alpha Air', null, 4, 4, 3],
      ['ZÅ', '787', 4, 4, 2],
      ['ZÅ', null, null, 0, 0],
    ]);
    const [best] = communityChecklists;
    expect(Object.keys(best ?? {}).sort()).toEqual([
      'basedOn',
      'checklistId',
      'checklist_id',
      'isMine',
      'myRating',
      'name',
      'ownerName',
      'ratingAverage',
      'rating_count',
      'revision',
      'share_community',
      'updatedAt',
      'version',
    ]);
    expect(best).toMatchObject({ isMine: false, share_community: 1, updatedAt: '2026-09-16 12:00:00' });
    expect(JSON.stringify(communityChecklists)).not.toMatch(/example\.org|Ångström/);
  });

  test('One statement reads all lists, with owners, ratings and scores', async () => {
    const { token } = await api.user();
    const statements = await statementsDuring(() => api.call('checklistList', { token }));
    expect(statements.filter((text) => text.includes('FROM checklist'))).toHaveLength(1);
  });

  test('Checklists shared by others since the last login are counted in the user object (G-16)', async () => {
    const { clock } = api.context;
    const [user, other] = [await api.user(), await api.user()];
    const count = async () =>
      at(await api.call('refreshUserData', { token: user.token }), 'user', ...statistic);
    clock.advance(60);
    const before = Number(await count());
    const kept = await newChecklist(api, other, { shareCommunity: true });
    await newChecklist(api, other);
    await newChecklist(api, user, { shareCommunity: true });
    expect(await count()).toBe(before + 1);
    await saveChecklist(api, other, { checklistId: kept, name: 'Changed' });
    expect(await count()).toBe(before + 1);
    await saveChecklist(api, other, { checklistId: kept, shareCommunity: false });
    expect(await count()).toBe(before);
    await saveChecklist(api, other, { checklistId: kept, shareCommunity: true });
    expect(await count()).toBe(before + 1);
    const devKey = await api.key();
    const { email, password } = user;
    for (let i = 0; i < 2; i += 1) {
      clock.advance(60);
      await api.call('login', { devKey, data: { email, password } });
    }
    expect(await count()).toBe(0);
  });

  test('A call without a token is refused (M-4.1.q1, M-7.k1)', async () => {
    expect(refusal(await api.call('checklistList'))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
