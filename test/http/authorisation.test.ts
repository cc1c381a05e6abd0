/**
 * Access to other users' rows: every query that takes an id, called by every kind of caller. Queries without
 * ids are listed, so that a new one cannot be forgotten.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadRegistries } from '#api/registry.ts';
import type { Answer, CallOptions } from '../api.ts';
import { ofSubscription, rows } from '../support/authorisation/rows.ts';
import { isDeep } from '../support/deep.ts';
import { withoutForeignId } from '../support/authorisation/without-foreign-id.ts';
import { call, fill, ids, principals, secrets, served, userOf } from '../support/authorisation/scene.ts';

let close: () => Promise<void>;
beforeAll(async () => {
  close = await fill();
});
afterAll(() => close());

const leaks = (answer: Answer): string[] => {
  const text = JSON.stringify(answer.body);
  return [...secrets, userOf('owner').email].filter((secret) => text.includes(secret));
};

const codeOf = ({ body }: Answer): string => {
  const { error, Error: list } = body as { error?: { code?: string }; Error?: { code?: string }[] };
  return error?.code ?? list?.[0]?.code ?? '-';
};

describe.each(rows.map((row, at) => ({ ...row, at })))('$query of $what', (row) => {
  test('Only authorised callers are allowed, and a refusal reveals nothing about the row', async () => {
    // Of those who are refused half, by turns; all in the deep run.
    const tried = principals.filter(
      (principal, i) => isDeep || row.allowed.includes(principal) || (i + row.at) % 2 === 0,
    );
    const expected = tried.map((principal) => [
      principal,
      row.except?.[principal] ?? (row.allowed.includes(principal) ? '-' : row.refused),
    ]);
    const found: [string, string][] = [];
    const leaked: string[] = [];
    // Callers who are refused come first, since an allowed one may remove the object.
    const order = tried.toSorted(
      (one, two) => Number(row.allowed.includes(one)) - Number(row.allowed.includes(two)),
    );
    for (const principal of order) {
      const answer = await call(row.query, principal, row.data());
      const code = codeOf(answer);
      found.push([principal, code]);
      if (code === '-') await row.restore?.();
      else leaked.push(...leaks(answer));
    }
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    expect(leaked).toEqual([]);
  });
});

test('Every query with a user token is in the matrix or takes no ids of other users’ rows', async () => {
  const { operations } = (await loadRegistries()).queries;
  const inMatrix = new Set(rows.map(({ query }) => query));
  const withToken = operations.filter(({ auth }) => auth === 'jwt').map(({ name }) => name);
  const placed = withToken.filter((name) => inMatrix.has(name) !== withoutForeignId.has(name));
  expect(withToken.filter((name) => !placed.includes(name))).toEqual([]);
});

test('Access depends on the token, the permission of the key and the level of the subscription (M-1.3)', async () => {
  const { token } = userOf('owner');
  const free = await served().user();
  const search = async (options: CallOptions) =>
    codeOf(await served().call('navdataSearch', { data: { ident: 'KJFK' }, ...options }));
  const all = await served().key();
  expect(await search({ devKey: all })).toBe('AUTH_REQUIRED');
  expect(await search({ token, devKey: await served().key({ efb: false }) })).toBe('ACCESS_DENIED');
  expect(await search({ token: free.token, devKey: all })).toBe('SUBSCRIPTION_LEVEL_REQUIRED');
  expect(await search({ token, devKey: all })).toBe('-');
});

test('The signed endpoint and the webhook addresses are served beside the queries (M-1.2)', async () => {
  const signed = await served().fetch('/subscription.php?action=user_subscriptions');
  expect([signed.status, await signed.json()]).toMatchObject([400, { error: { code: 'MISSING_HEADER' } }]);
  expect((await served().fetch('/api/webhooks/card/ipn')).status).toBe(200);
});

test.each(['checklistList', 'getPaymentHistory', 'fleetList', 'librarySync', 'ofpList', 'ofpShareList'])(
  '%s called by a stranger reveals nothing about the owner',
  async (query) => {
    const answer = await call(query, 'stranger', query === 'getPaymentHistory' ? ofSubscription() : {});
    expect(answer.status).toBe(200);
    expect(leaks(answer)).toEqual([]);
    expect(JSON.stringify(answer.body)).not.toContain(String(ids['ofp']));
  },
);
