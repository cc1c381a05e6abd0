/** An import that would have to wait for the plan reader does not fetch the plan from SimBrief first. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulated } from '#test/support/simulated.ts';
import type { SimulatedSources } from '#test/support/simulated.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planText } from '#test/support/ofp.ts';

const path = '/xml.fetcher.php';
let planner: SimulatedSources;
let api: TestApi;
beforeAll(async () => {
  planner = await startSimulated();
  planner.setRoute(path, () => ({ bytes: planText({}, 'json=v2'), contentType: 'text/plain' }));
  api = await testApi({ env: { PLANNER_URL: `${planner.origin}${path}` } });
});
afterAll(async () => {
  await api.close();
  await planner.close();
});

test('While two documents of an account are being read, SimBrief is not called and the attempt is not counted', async () => {
  const { id, token } = await api.user();
  const { ofpParser } = api.running.services;
  const large = planText({ notamCharacters: 2_000_000 });
  const read = () => ofpParser.parse(id, { content: large, keepNotams: false });
  const others = [read(), read()];
  expect(ofpParser.isBusy(id)).toBe(true);
  const fetched = () => api.call('ofpImport', { token, data: { plannerUserId: 123_456 } });
  const before = planner.requests.length;
  expect(refusal(await fetched())).toEqual([429, 'RATE_LIMITED']);
  expect(planner.requests.length).toBe(before);
  await Promise.all(others);
  expect((await fetched()).status).toBe(200);
});
