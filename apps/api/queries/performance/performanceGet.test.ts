/** Invalid ids only; reading is tested together with the list, in performanceHistory.test.ts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
});
afterAll(() => api.close());

test.each([
  ['MISSING_FIELD', 400, undefined],
  ['INVALID_FIELD', 400, '7'],
  ['CALCULATION_NOT_FOUND', 404, '59173612-0d5c-4a3e-9d0b-3f6f1f0e9c11'],
])('The error is %s with status %i for the id %j', async (code, status, calculationId) => {
  const answer = await api.call('performanceGet', { token: pilot.token, data: { calculationId } });
  expect(refusal(answer)).toEqual([status, code]);
});
