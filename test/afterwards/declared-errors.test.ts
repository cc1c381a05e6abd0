import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadRegistries } from '#api/registry.ts';
import { readAnswers, testOf, unanswered } from '../support/answered.ts';

const root = join(import.meta.dirname, '../..');
const { queries, actions, webhooks } = await loadRegistries();
const operations = [
  ...queries.operations,
  ...actions.operations,
  // Webhooks share one file of declarations, but each has its own test file.
  ...webhooks.operations.map((each) => ({
    ...each,
    file: `apps/api/webhooks/${each.name}.ts`,
  })),
];

test('Every operation has its test next to it', () => {
  const missing = operations.map(({ file }) => testOf(file)).filter((file) => !existsSync(join(root, file)));
  expect(missing).toEqual([]);
});

test('Every declared error code was really answered over HTTP, and every operation succeeded once', async () => {
  expect(unanswered(operations, await readAnswers())).toEqual([]);
});

test('A declared code that is never answered is found', () => {
  const login = { name: 'login', file: 'apps/api/queries/users/login.ts', errors: { LOCKED: 423 } };
  const file = 'apps/api/queries/users/login.test.ts';
  const success = { file, query: 'login', code: '-' };
  const elsewhere = { file: 'test/http/limits.test.ts', query: 'login', code: 'LOCKED' };
  expect(unanswered([login], [success])).toEqual(['login LOCKED']);
  expect(unanswered([login], [success, elsewhere])).toEqual([]);
  expect(unanswered([login], [{ ...success, code: 'LOCKED' }])).toEqual(['login -']);
  expect(unanswered([login], [elsewhere])).toEqual([]);
});
