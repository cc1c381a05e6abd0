import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planDocument } from '#test/support/ofp.ts';
import { shareWith } from '#test/support/plans.ts';

let api: TestApi;
let user: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  const data = { source: 'json', document: planDocument() };
  ofpId = String((await api.call('ofpImport', { token: user.token, data })).body['ofpId']);
});
afterAll(() => api.close());

const rename = (data: object, { token } = user) => api.call('ofpRename', { token, data: { ofpId, ...data } });
const nameNow = async () => {
  const { body } = await api.call('ofpGet', { token: user.token, data: { ofpId, view: 'summary' } });
  return (body['ofp'] as { name: string }).name;
};

test('The plan has the new name everywhere, and other pads are notified', async () => {
  const { body: before } = await api.call('changes', { token: user.token, data: {} });
  expect((await rename({ name: '  Monday to Boston ' })).body).toMatchObject({
    ofpId,
    name: 'Monday to Boston',
  });
  expect(await nameNow()).toBe('Monday to Boston');
  const { body } = await api.call('changes', { token: user.token, data: { since: before['cursor'] } });
  expect(body['changes']).toMatchObject([{ kind: 'ofp', id: ofpId, deleted: false }]);
});

test('A rename is listed without a revision, a new document with one; clients always read rows without a revision, which guard no deletion', async () => {
  const told = async (query: string, data: object) => {
    const { body: before } = await api.call('changes', { token: user.token, data: {} });
    expect((await api.call(query, { token: user.token, data })).status).toBe(200);
    const { body } = await api.call('changes', {
      token: user.token,
      data: { since: before['cursor'], kinds: ['ofp'] },
    });
    return (body['changes'] as { revision: number | null }[]).map(({ revision }) => revision);
  };
  const importOf = (options: object = {}) => ({
    source: 'json',
    document: planDocument({ requestId: 'told', ...options }),
  });
  expect(await told('ofpImport', importOf())).toEqual([1]);
  const { body } = await api.call('ofpImport', { token: user.token, data: importOf() });
  const named = { ofpId: body['ofpId'] };
  expect(await told('ofpRename', { ...named, name: 'Renamed' })).toEqual([null]);
  expect(await told('ofpImport', { ...importOf(), name: 'Imported' })).toEqual([null]);
  const later = importOf({ generatedAt: new Date('2026-09-16T11:30:00Z') });
  expect(await told('ofpImport', later)).toEqual([2]);
  await told('ofpRename', { ...named, name: 'Again' });
  expect(await told('ofpDelete', { ...named, expectedVersion: 2 })).toEqual([3]);
});

test('A later import of the plan keeps the name, unless the import brings a name of its own', async () => {
  const document = planDocument({ requestId: 'later', generatedAt: new Date('2026-09-16T11:00:00Z') });
  const refresh = (data: object) =>
    api.call('ofpImport', { token: user.token, data: { source: 'json', document, ofpId, ...data } });
  expect((await refresh({})).status).toBe(200);
  expect(await nameNow()).toBe('Monday to Boston');
  expect((await refresh({ name: 'Named', ifChanged: false })).status).toBe(200);
  expect(await nameNow()).toBe('Named');
});

test('Only the owner renames a plan, and a name has 1 to 100 characters', async () => {
  const editor = await api.user();
  await shareWith(api, ofpId, [user, editor], 'edit');
  expect(refusal(await rename({ name: 'Mine' }, editor))).toEqual([403, 'INSUFFICIENT_PERMISSION']);
  expect(refusal(await rename({ name: 'Mine' }, await api.user()))).toEqual([404, 'OFP_NOT_FOUND']);
  expect(refusal(await rename({}))).toEqual([400, 'MISSING_FIELD']);
  expect(refusal(await rename({ name: ' ' }))).toEqual([400, 'MISSING_FIELD']);
  expect(refusal(await rename({ name: 'x'.repeat(101) }))).toEqual([400, 'INVALID_FIELD']);
  expect((await rename({ name: 'x'.repeat(100) })).status).toBe(200);
});
