import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '#test/api.ts';
import { at } from '#test/support/answers.ts';
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

test('Fleet profiles by their registrations, each as fleetGet answers it', async () => {
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
