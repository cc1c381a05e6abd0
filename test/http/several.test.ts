/** Saves answered without contents, and the calls made by a device that reconnects. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestUser } from '../api.ts';
import { at, refusal } from '../support/answers.ts';
import { documentOf, newChecklist } from '../support/checklists.ts';
import { libraryApi } from '../support/library.ts';
import type { LibraryApi } from '../support/library.ts';
import { planOf } from '../support/plans.ts';

let library: LibraryApi;
let user: TestUser;
beforeAll(async () => {
  library = await libraryApi();
  user = await library.member();
});
afterAll(() => library.close());

const call = (query: string, data: Record<string, unknown> = {}, by = user) => library.call(query, by, data);
const profile = (registration: string, basedOnProfile = 'A320-214') => ({
  registration,
  basedOnProfile,
  profileData: { weight: { mslw: 64_000 } },
});
const save = (ofpId: string, dataKey: string, payload: unknown, more = {}) =>
  call('flightDataSave', { ofpId, dataKey, payload, ...more });
const bytesOf = ({ body }: Answer) => JSON.stringify(body).length;

test('With return: head the answer to a 1 MB save, or its refusal, is smaller than 1 kB', async () => {
  const ofpId = await planOf(library.api, user);
  const payload = { text: 'x'.repeat(1_000_000) };
  const saved = await save(ofpId, 'big', payload, { return: 'head' });
  expect([saved.status, bytesOf(saved) < 1_000]).toEqual([200, true]);
  expect(at(saved, 'data')).toMatchObject({ ofpId, version: 1, payloadBytes: expect.any(Number) });
  for (const query of ['flightDataSave', 'flightDataDelete', 'flightDataRestore']) {
    const more = { flightDataSave: { payload }, flightDataRestore: { version: 1 } }[query] ?? {};
    const data = { ofpId, dataKey: 'big', ...more, expectedVersion: 7 };
    const short = await call(query, { ...data, return: 'head' });
    expect([query, ...refusal(short), at(short, 'current', 'version'), bytesOf(short) < 1_000]).toEqual([
      query,
      409,
      'VERSION_CONFLICT',
      1,
      true,
    ]);
    expect(bytesOf(await call(query, data))).toBeGreaterThan(1_000_000);
  }
  const checklistId = await newChecklist(library.api, user);
  for (const query of ['checklistSave', 'checklistDelete']) {
    const data = { checklistId, name: 'Mine', checklist: documentOf(), expectedVersion: 1 };
    const { body } = await call(query, { ...data, return: 'head' });
    expect([query, body['current']]).toEqual([
      query,
      expect.not.objectContaining({ checklist: expect.anything() }),
    ]);
    expect(at(await call(query, data), 'current', 'checklist')).toBeDefined();
  }
});

test('One call renames the registration of a profile: derived profiles follow, and the old name is listed as deleted', async () => {
  await call('fleetSave', profile('D-OLD'));
  const heir = await call('fleetSave', profile('D-HEIR', 'D-OLD'));
  const cursor = at(await call('changes'), 'cursor');
  const before = await call('fleetGet', { registration: 'D-OLD' });
  const expectedVersion = at(before, 'data', 'fleetRow', 'revision');
  const renaming = { ...profile('D-NEW'), renameFrom: 'D-OLD', expectedVersion };
  for (const [more, code] of [
    [{ renameFrom: 'D-NOBODY' }, 'NOT_FOUND'],
    [{ registration: 'D-HEIR' }, 'REGISTRATION_TAKEN'],
    [{ basedOnProfile: 'D-OLD' }, 'INVALID_BASED_ON'],
    [{ expectedVersion: 1 }, 'VERSION_CONFLICT'],
  ] as const)
    expect(refusal(await call('fleetSave', { ...renaming, ...more }))[1]).toBe(code);
  expect((await call('fleetSave', renaming)).status).toBe(200);
  const after = await call('fleetGet', { registration: 'D-NEW' });
  expect(at(after, 'data', 'fleetRow', 'id')).toBe(at(before, 'data', 'fleetRow', 'id'));
  expect(refusal(await call('fleetGet', { registration: 'D-OLD' }))[1]).toBe('NOT_FOUND');
  const follower = await call('fleetGet', { registration: 'D-HEIR' });
  expect(at(follower, 'data', 'fleetRow', 'basedOnProfile')).toBe('D-NEW');
  expect(at(follower, 'data', 'overrides', 'profile', 'basedOnProfile')).toBe('D-NEW');
  expect(Number(at(follower, 'data', 'fleetRow', 'revision'))).toBeGreaterThan(
    Number(at(heir, 'data', 'revision')),
  );
  const told = at(await call('changes', { since: cursor, kinds: ['fleet'] }), 'changes') as Record<
    string,
    unknown
  >[];
  expect(Object.fromEntries(told.map(({ id, deleted }) => [id, deleted]))).toEqual({
    'D-HEIR': false,
    'D-NEW': false,
    'D-OLD': true,
  });
});

test('Without changes a sync is one call of less than 1 kB', async () => {
  const cursor = at(await call('changes'), 'cursor');
  const answer = await call('changes', { since: cursor });
  expect([answer.status, at(answer, 'changes'), bytesOf(answer) < 1_000]).toEqual([200, [], true]);
});
