/** A change by another process to any part of the answer appears in this process's next answer. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestApi, TestUser } from '#test/api.ts';
import { at } from '#test/support/answers.ts';
import { twoApis } from '#test/support/two-apis.ts';
import type { TwoApis } from '#test/support/two-apis.ts';

let apis: TwoApis;
let here: TestApi;
let there: TestApi;
let user: TestUser;
let key: string;

beforeAll(async () => {
  apis = await twoApis();
  ({ here, there } = apis);
});
afterAll(() => apis.close());

const run = (...given: Parameters<TwoApis['runThere']>) => apis.runThere(...given);
const shown = async (...path: string[]) =>
  at(await here.call('refreshUserData', { token: user.token, devKey: key }), 'user', ...path);

beforeEach(async () => {
  key = await here.key();
  user = await here.user();
  await here.grant(user, 'EFB_LITE_M');
  await run`INSERT INTO virtual_airline (name) VALUES (${user.email})`;
  await shown();
});

test.each<[string, () => Promise<unknown>, string[], unknown]>([
  ['the name', () => run`UPDATE app_user SET firstname = 'Zoë' WHERE id = ${user.id}`, ['firstname'], 'Zoë'],
  [
    'the preferences',
    () => run`UPDATE app_user SET preferences = '{"defaultUnit": "HYBRID1"}' WHERE id = ${user.id}`,
    ['userPreferences', 'defaultUnit'],
    'HYBRID1',
  ],
  [
    'the lock of the settings',
    () => run`UPDATE app_user SET settings_locked = true WHERE id = ${user.id}`,
    ['userPreferences', 'settingsLocked'],
    true,
  ],
  [
    'the email address',
    () => run`UPDATE app_user SET email = 'new' || email WHERE id = ${user.id}`,
    ['email'],
    expect.stringMatching(/^new/),
  ],
  [
    'a login',
    () => run`UPDATE app_user SET last_login_at = '2026-09-16T10:11:12Z' WHERE id = ${user.id}`,
    ['lastLogin'],
    '2026-09-16 10:11:12',
  ],
  [
    'a membership',
    () => run`INSERT INTO va_member (user_id, va_id)
      SELECT ${user.id}, id FROM virtual_airline WHERE name = ${user.email}`,
    ['vaMemberships'],
    [expect.objectContaining({ isActive: false })],
  ],
  [
    'a role in an airline',
    () => run`INSERT INTO va_admin (user_id, scope, va_id)
      SELECT ${user.id}, 'VA_ONLY', id FROM virtual_airline WHERE name = ${user.email}`,
    ['vaAdmin', 'scope'],
    'VA_ONLY',
  ],
  [
    'a new partner',
    () => run`UPDATE virtual_airline SET is_partner = true WHERE name = ${user.email}`,
    ['vaPartners'],
    expect.arrayContaining([expect.objectContaining({ name: expect.stringContaining('@') })]),
  ],
  ['a subscription', () => there.grant(user, 'EFB_PRO_M'), ['subscription', 'title'], 'Pro, monthly'],
  [
    'the end of a subscription',
    () => run`UPDATE subscription SET gateway_status = 'Expired' WHERE user_id = ${user.id}`,
    ['subscription', 'status'],
    'EXPIRED',
  ],
  [
    'a product',
    () => run`UPDATE product SET title = 'Another title' WHERE code = 'EFB_LITE_M'`,
    ['subscription', 'title'],
    'Another title',
  ],
  [
    'a calculation',
    () => run`
      INSERT INTO calculation (public_id, user_id, kind, profile, request, result, created_at)
      VALUES (gen_random_uuid(), ${user.id}, 'landingEnroute', 'a.json', '{}', '{}', '2027-01-01')`,
    ['userStatisticsSinceLastLogin', 'calculations', 'landingEnroute'],
    1,
  ],
  [
    'the permissions of the key',
    () => run`UPDATE developer_key SET user_info = 'SIMPLE' WHERE id = (SELECT max(id) FROM developer_key)`,
    ['apiKey'],
    undefined,
  ],
])('A change by another process is in the next answer: %s', async (_, change, path, expected) => {
  expect(await shown(...path)).not.toEqual(expected);
  await change();
  expect(await shown(...path)).toEqual(expected);
});

test('The remaining days and the end of a subscription follow the clock', async () => {
  const { clock } = here.context;
  const left = async () => [
    await shown('subscription', 'daysRemaining'),
    await shown('subscription', 'isActive'),
  ];
  for (const [seconds, before, after] of [
    [86_460, [2, true], [1, true]],
    [60, [1, true], [0, false]],
  ] as const) {
    const endsAt = new Date(clock.now().getTime() + seconds * 1_000);
    await run`UPDATE subscription SET ends_at = ${endsAt} WHERE user_id = ${user.id}`;
    expect(await left()).toEqual(before);
    clock.advance(60);
    expect(await left()).toEqual(after);
    clock.advance(-60);
    expect(await left()).toEqual(before);
  }
});
