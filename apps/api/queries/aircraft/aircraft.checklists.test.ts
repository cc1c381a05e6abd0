import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { airline } from '#test/support/airlines.ts';
import type { AirlinePeople } from '#test/support/airlines.ts';
import { at } from '#test/support/answers.ts';
import { documentOf, newChecklist, saveChecklist } from '#test/support/checklists.ts';
import { dataOf, fleetCalls } from '#test/support/fleet.ts';
import type { FleetCalls } from '#test/support/fleet.ts';
import { sampled } from '#test/support/deep.ts';

let api: TestApi;
let fleet: FleetCalls;
let pilot: TestUser;
let other: TestUser;
let alpha: AirlinePeople;
beforeAll(async () => {
  api = await testApi();
  fleet = fleetCalls(api);
  [pilot, other] = [await api.user(), await api.user()];
  alpha = await airline(api, 'Alpha Air');
});
afterAll(() => api.close());

type Fields = Record<string, unknown>;
const standard = { isChecklistAvailable: true, isChecklistActive: true, file: '787' };

/** Section `checklists` of the profile as returned to this user. */
const load = async (
  user: TestUser,
  file: string,
  registration: string | null = null,
  va: string | null = null,
) => {
  const answer = await fleet.aircraft(user, file, registration, va);
  expect([answer.status, at(answer, 'error')]).toEqual([200, undefined]);
  return at(answer, 'aircraft', 'checklists') as Fields;
};
const documentAt = async (user: TestUser, checklistId: unknown) =>
  at(await api.call('checklistGet', { token: user.token, data: { checklistId } }), 'data', 'checklist');
/** A profile of the pilot that others may use, with this block. */
const shared = async (registration: string, checklists: Fields): Promise<string> => {
  const more = { shareCommunity: true };
  return String(dataOf(await fleet.save(pilot, registration, '787-9', { checklists }, more))['file']);
};

describe('aircraft checklists', () => {
  test('Every standard profile has the built-in checklist of its file (M-2.2.8c, M-9.5)', async () => {
    const data = await documentAt(other, '787');
    expect(await load(other, '787-9')).toEqual({ ...standard, data });
    const { body } = await api.call('allowedAircrafts', { token: other.token });
    const all = body['availableAircraft'] as { profile: { file: string } }[];
    for (const { profile } of sampled(all, 5)) {
      const { file, data: document } = await load(other, profile.file);
      expect([profile.file, document]).toEqual([profile.file, await documentAt(other, file)]);
    }
  });

  test('A profile with a checklist id in any form has the current version of that checklist (M-2.2.1a, M-2.2.8a, M-2.2.8b, A-31)', async () => {
    const id = await newChecklist(api, pilot);
    const block = { isChecklistAvailable: true, isChecklistActive: false, checklistId: id };
    await fleet.save(pilot, 'D-AONE', '787-9', { checklists: block });
    const file = `User_${pilot.id}_D-AONE.json`;
    expect(await load(pilot, file, 'D-AONE')).toEqual({ ...standard, ...block, data: documentOf() });
    const checklist = documentOf({ name: 'Changed' });
    await saveChecklist(api, pilot, { checklistId: id, checklist });
    expect((await load(pilot, file, 'D-AONE'))['data']).toEqual(checklist);
    for (const checklistId of ['default:1.3.6:777', 'default:1.0:777', '777', id.toUpperCase()]) {
      await fleet.save(pilot, 'D-AONE', '787-9', { checklists: { checklistId } });
      expect((await load(pilot, file, 'D-AONE'))['data']).toEqual(await documentAt(pilot, checklistId));
    }
    await fleet.save(pilot, 'D-AONE', '787-9', { checklists: { checklistId: null, file: '777.json' } });
    expect((await load(pilot, file, 'D-AONE'))['data']).toEqual(await documentAt(pilot, '777'));
  });

  test('Another user’s private checklist is left out of a shared profile without an error (M-2.2.8d)', async () => {
    const id = await newChecklist(api, pilot);
    const file = await shared('D-ATWO', { checklistId: id });
    expect((await load(pilot, file, 'D-ATWO'))['data']).toEqual(documentOf());
    for (const user of [other, alpha.admin, alpha.full])
      expect(await load(user, file, 'D-ATWO')).toEqual({ ...standard, checklistId: id });
    await saveChecklist(api, pilot, { checklistId: id, shareCommunity: true });
    expect((await load(other, file, 'D-ATWO'))['data']).toEqual(documentOf());
    await saveChecklist(api, pilot, { checklistId: id, shareCommunity: false });
    expect(await load(other, file, 'D-ATWO')).toEqual({ ...standard, checklistId: id });
  });

  test('An airline’s checklist is only for its members (M-2.2.8d, M-2.2.3b)', async () => {
    const id = await newChecklist(api, alpha.admin, { isVA: true });
    const isVA = true;
    const saved = dataOf(
      await fleet.save(
        alpha.admin,
        'D-AVAA',
        '787-9',
        { checklists: { checklistId: id } },
        { isVA, shareCommunity: true },
      ),
    );
    const file = String(saved['file']);
    for (const user of [alpha.admin, alpha.member])
      expect((await load(user, file, 'D-AVAA', 'Alpha Air'))['data']).toEqual(documentOf());
    expect(await load(other, file, 'D-AVAA', 'Alpha Air')).toEqual({ ...standard, checklistId: id });
  });

  test('An id without a checklist is kept, without a document (G-42)', async () => {
    const id = await newChecklist(api, pilot, { shareCommunity: true });
    const file = await shared('D-ATHR', { checklistId: id });
    expect((await load(other, file, 'D-ATHR'))['data']).toEqual(documentOf());
    await api.call('checklistDelete', { token: pilot.token, data: { checklistId: id } });
    for (const user of [pilot, other])
      expect(await load(user, file, 'D-ATHR')).toEqual({ ...standard, checklistId: id });
    for (const checklistId of ['none', 'default:1.3.6:none', '']) {
      await shared('D-ATHR', { checklistId });
      expect(await load(pilot, file, 'D-ATHR')).toEqual({ ...standard, checklistId });
    }
  });
});
