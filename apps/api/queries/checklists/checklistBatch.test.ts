import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { documentOf, newChecklist } from '#test/support/checklists.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';

let library: LibraryApi;
let user: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  library = await libraryApi();
  [user, stranger] = [await library.member(), await library.member()];
});
afterAll(() => library.close());

const call = (query: string, data: Record<string, unknown> = {}, by = user) => library.call(query, by, data);
const none = '00000000-0000-4000-8000-000000000000';

test('A batch has the checklists that the caller may read, each as in checklistGet, within 2 MB', async () => {
  const big = documentOf({ note: 'x'.repeat(10) });
  const ids: string[] = [];
  for (const name of ['One', 'Two'])
    ids.push(await newChecklist(library.api, user, { name, checklist: big }));
  const foreign = await newChecklist(library.api, stranger);
  const builtIn = 'default:1.3.6:a320-family';
  const answer = await call('checklistBatch', {
    checklistIds: [...ids, ids[0], builtIn, foreign, none, 'what?'],
  });
  const single = await Promise.all(
    [...ids, builtIn].map((checklistId) => call('checklistGet', { checklistId })),
  );
  expect(at(answer, 'data')).toEqual({
    items: single.map((one) => at(one, 'data')),
    missing: [foreign, none, 'what?'],
    left: [],
  });
  for (const [checklistIds, code] of [
    [[], 'INVALID_FIELD'],
    [Array.from({ length: 51 }, () => none), 'INVALID_FIELD'],
    ['x', 'INVALID_FIELD'],
    [undefined, 'MISSING_FIELD'],
    [[''], 'MISSING_CHECKLIST_ID'],
    [[7], 'INVALID_CHECKLIST_ID'],
  ] as const)
    expect(refusal(await call('checklistBatch', { checklistIds }))).toEqual([400, code]);
});
