import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { TestUser } from '#test/api.ts';
import { adminWithoutAirline, airline } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';

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

test('A batch has fleet profiles by registration, each as in fleetGet', async () => {
  for (const registration of ['D-ONE', 'D-TWO']) await call('fleetSave', profile(registration));
  const answer = await call('fleetBatch', { registrations: ['d-two', 'D-ONE', 'D-NONE'] });
  const single = await Promise.all(
    ['D-TWO', 'D-ONE'].map((registration) => call('fleetGet', { registration })),
  );
  expect(at(answer, 'data')).toEqual({
    items: single.map((one) => at(one, 'data')),
    missing: ['D-NONE'],
    left: [],
  });
});

test('An invalid list, another airline’s profiles and a profile without its file are refused', async () => {
  const { member } = await airline(library.api, 'Batch Air');
  const both = await airline(library.api, 'Other Air');
  for (const [registrations, more, by, refused] of [
    [[], {}, user, [400, 'INVALID_FIELD']],
    [Array.from({ length: 51 }, (_, i) => `D-${i}`), {}, user, [400, 'INVALID_FIELD']],
    [undefined, {}, user, [400, 'MISSING_FIELD']],
    [['../x'], {}, user, [400, 'INVALID_REGISTRATION']],
    [['D-X'], { isVA: true, vaName: 'Other Air' }, member, [403, 'FORBIDDEN']],
    [['D-X'], { isVA: true }, both.full, [400, 'MISSING_VA_NAME']],
    [['D-X'], { isVA: true }, await adminWithoutAirline(library.api), [403, 'NO_VA_ASSIGNED']],
  ] as const)
    expect(refusal(await call('fleetBatch', { registrations, ...more }, by))).toEqual(refused);

  const lost = await library.member();
  await call('fleetSave', profile('D-LOST'), lost);
  const { postgres, config } = library.api.context;
  const { key } = await postgres.db.one<{ key: string }>(
    sql`SELECT storage_key AS key FROM fleet_profile WHERE user_id = ${lost.id}`,
  );
  await rm(join(config.DATA_DIR, 'files', key));
  const answer = await call('fleetBatch', { registrations: ['D-LOST'] }, lost);
  expect(refusal(answer)).toEqual([500, 'FILE_NOT_FOUND']);
});
