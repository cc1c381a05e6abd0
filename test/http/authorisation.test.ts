/**
 * Who may do what with the things of others: every query that takes an id, by every kind of caller. Queries that take none are
 * listed, so that a new one has to be put in its place.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadRegistry } from '#api/registry.ts';
import type { Answer } from '../api.ts';
import { ofSubscription, rows, withoutForeignId } from '../support/authorisation/rows.ts';
import { call, fill, ids, principals, secrets, userOf } from '../support/authorisation/scene.ts';

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

describe.each(rows)('$query of $what', (row) => {
  test('Only who may is allowed, and a refusal shows nothing of it (M-2.2.3, M-2.4.3, M-2.6.7)', async () => {
    const expected = principals.map((principal) => [
      principal,
      row.except?.[principal] ?? (row.allowed.includes(principal) ? '-' : row.refused),
    ]);
    const found: [string, string][] = [];
    const leaked: string[] = [];
    // Those who are refused first: an allowed caller may remove it.
    const order = principals.toSorted(
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

test('Every query with a user token is in the matrix or takes no id of others', async () => {
  const { operations } = await loadRegistry();
  const inMatrix = new Set(rows.map(({ query }) => query));
  const withToken = operations.filter(({ auth }) => auth === 'jwt').map(({ name }) => name);
  const placed = withToken.filter((name) => inMatrix.has(name) !== withoutForeignId.has(name));
  expect(withToken.filter((name) => !placed.includes(name))).toEqual([]);
});

test.each(['checklistList', 'getPaymentHistory', 'fleetList', 'librarySync', 'ofpList', 'ofpShareList'])(
  '%s of a stranger shows nothing of the owner',
  async (query) => {
    const answer = await call(query, 'stranger', query === 'getPaymentHistory' ? ofSubscription() : {});
    expect(answer.status).toBe(200);
    expect(leaks(answer)).toEqual([]);
    expect(JSON.stringify(answer.body)).not.toContain(String(ids['ofp']));
  },
);
