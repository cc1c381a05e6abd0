/** Most of the answer is cached, and a change made by another process appears in the next answer. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { twoApis } from '#test/support/two-apis.ts';
import type { TwoApis } from '#test/support/two-apis.ts';

let apis: TwoApis;
let here: TestApi;
let there: TestApi;
let user: TestUser;
let preview: TestUser;

beforeAll(async () => {
  apis = await twoApis();
  ({ here, there } = apis);
  await importAirports(here.context, ['KJFK', 'KBOS']);
});
afterAll(() => apis.close());

const run = (...given: Parameters<TwoApis['runThere']>) => apis.runThere(...given);

interface Shown {
  subscription: { level: number; isNnc: boolean };
  remainingCalculations: number;
  extraCalculations: number;
  availableAirport: { icao: string; name: string; longuestRunwayLength: number }[];
}
const shown = async (by = user): Promise<Shown> => {
  const data = { aircraft: 'A320-251N', userRegistration: null, virtualAirline: null };
  return (await here.call('aircraft', { token: by.token, data })).body as unknown as Shown;
};
const airport = async (icao: string) => (await shown()).availableAirport.find((each) => each.icao === icao);

beforeEach(async () => {
  user = await here.user();
  preview = await here.user();
  await here.grant(user, 'EFB_LITE_M');
  await shown();
  await shown(preview);
});

test('A renamed airport, a closed runway and a removed airport appear in the next answer', async () => {
  expect((await airport('KBOS'))?.name).toEqual(expect.any(String));
  await run`UPDATE airport SET name = 'Another name' WHERE icao = 'KBOS'`;
  expect((await airport('KBOS'))?.name).toBe('Another name');
  const length = (await airport('KJFK'))?.longuestRunwayLength ?? 0;
  await run`
    INSERT INTO runway_operator (icao, ident, is_closed, author, updated_at)
    SELECT icao, ident, true, 'test', now() FROM runway_end WHERE icao = 'KJFK' AND length_m > ${length - 1}`;
  expect((await airport('KJFK'))?.longuestRunwayLength).toBeLessThan(length);
  await run`UPDATE airport SET removed_at = now() WHERE icao = 'KBOS'`;
  expect(await airport('KBOS')).toBeUndefined();
});

test('Changed airports and features of a product, and a subscription to another product, appear in the next answer', async () => {
  const icaos = async (by: TestUser) => (await shown(by)).availableAirport.map(({ icao }) => icao);
  expect(await icaos(preview)).toEqual(
    (await icaos(user)).filter((icao) => icao === 'KJFK' || icao === 'KBOS'),
  );
  await run`UPDATE product SET allowed_airports = '{KJFK}', is_nnc = true WHERE code = 'EFB_PREVIEW'`;
  expect(await icaos(preview)).toEqual(['KJFK']);
  expect((await shown(preview)).subscription).toMatchObject({ isNnc: true, level: 0 });
  await there.grant(preview, 'EFB_PRO_M');
  expect(await icaos(preview)).toEqual(await icaos(user));
  expect((await shown(preview)).subscription).toMatchObject({ level: 3 });
});

test('Calculations and gifts count at once, only for their user', async () => {
  const before = await shown();
  const others = await shown(preview);
  const at = here.context.clock.now();
  await run`
    INSERT INTO calculation (public_id, user_id, kind, profile, request, result, created_at)
    VALUES (gen_random_uuid(), ${user.id}, 'landingEnroute', 'a.json', '{}', '{}', ${at})`;
  expect((await shown()).remainingCalculations).toBe(before.remainingCalculations - 1);
  await run`INSERT INTO calculation_gift (user_id, amount, given_at) VALUES (${user.id}, 7, ${at})`;
  expect(await shown()).toMatchObject({
    remainingCalculations: before.remainingCalculations + 6,
    extraCalculations: 7,
  });
  const all = await Promise.all([shown(), shown(preview), shown(), shown(preview)]);
  expect(all.map(({ extraCalculations }) => extraCalculations)).toEqual([7, 0, 7, 0]);
  expect((await shown(preview)).remainingCalculations).toBe(others.remainingCalculations);
});
