import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { codeOf } from '#test/support/subscriptions.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await importAirports(api.context, ['KJFK']);
});
afterAll(() => api.close());

const data = {
  requestType: 'LANDING',
  units: { distance: 'meter' },
  aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
  airport: 'KJFK',
  runway: '04L',
};

test('Only calculations since the start of the purchased plan count, not those under an earlier plan (G-33)', async () => {
  const pilot = await api.user();
  const perform = () => api.call('performance', { token: pilot.token, data });
  for (let i = 0; i < 10; i += 1) await perform();
  expect(codeOf(await perform())).toEqual([403, 'CALCULATION_LIMIT_REACHED']);
  api.context.clock.advance(60);
  await api.grant(pilot, 'EFB_LITE_M');
  api.context.clock.advance(60);
  expect((await perform()).body['remainingCalculations']).toBe(49);
});
