/** Lists of the rows that a client stores, without those of others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { at, refusal } from '../support/answers.ts';
import { documentOf } from '../support/checklists.ts';

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  const other = await api.user();
  for (const { token } of [pilot, other]) {
    const checklist = { name: 'Mine', shareCommunity: true, checklist: documentOf() };
    const profile = {
      registration: 'D-MINE',
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw: 64_000 } },
      shareCommunity: true,
    };
    await api.call('checklistSave', { token, data: checklist });
    await api.call('fleetSave', { token, data: profile });
  }
});
afterAll(() => api.close());

const lengths = async (query: string, scope: string) => {
  const answer = await api.call(query, { token: pilot.token, data: { scope } });
  const lists = Object.entries(at(answer, 'data') as Record<string, unknown[]>);
  return Object.fromEntries(lists.map(([name, entries]) => [name, entries.length]));
};

test('With the scope own a list has only the user’s rows and none of the community', async () => {
  expect(await lengths('fleetList', 'all')).toEqual({ userFleet: 1, vaFleet: 0, communityFleet: 2 });
  expect(await lengths('fleetList', 'own')).toEqual({ userFleet: 1, vaFleet: 0, communityFleet: 0 });
  expect(await lengths('checklistList', 'all')).toMatchObject({ userChecklists: 1, communityChecklists: 2 });
  expect(await lengths('checklistList', 'own')).toEqual({
    userChecklists: 1,
    vaChecklists: 0,
    communityChecklists: 0,
    defaultChecklists: 0,
  });
});

test.each(['fleetList', 'checklistList'])('A scope that %s does not know is refused', async (query) => {
  const answer = await api.call(query, { token: pilot.token, data: { scope: 'mine' } });
  expect(refusal(answer)).toEqual([400, 'INVALID_FIELD']);
});
