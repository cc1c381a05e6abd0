/**
 * Adds files to a copy of the project: the recipes of docs/development.md must be loaded and pass the checks,
 * and declarations that each break one property must fail the type check.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { action, broken, query, sound } from './queries.ts';
import { listing, recipes, withWebhook } from './recipes.ts';
import { temporaryTree } from './temporary-tree.ts';
import type { TemporaryTree } from './temporary-tree.ts';

/** As deep as the folders of operations, but not loaded as operations. */
const declared = 'apps/api/declared/users';
let tree: TemporaryTree;
let checked: string;
const webhooks = 'apps/api/webhooks/webhooks.ts';
const added = [...Object.keys(recipes), webhooks];

beforeAll(async () => {
  tree = await temporaryTree();
  const profile = JSON.parse(
    await readFile(join(tree.folder, 'libs/perf/aircraft/737-800-7B26.json'), 'utf8'),
  ) as Record<string, unknown>;
  const declarations = {
    ...Object.fromEntries(
      Object.entries({ ...sound, ...broken }).map(([name, parts]) => [
        `${declared}/${name}.ts`,
        query(name, parts),
      ]),
    ),
    [`${declared}/soundAction.ts`]: action('soundAction', 'write', true),
    [`${declared}/writeWithoutChange.ts`]: action('writeWithoutChange', 'write', false),
  };
  await tree.write({
    ...recipes,
    [webhooks]: withWebhook(await readFile(join(tree.folder, webhooks), 'utf8')),
    ...declarations,
    'libs/perf/aircraft/737-800-TEST.json': JSON.stringify({ ...profile, id: '737-800-TEST' }),
    'list.ts': listing,
  });
  ({ output: checked } = await tree.check([...added, ...Object.keys(declarations)]));
});
afterAll(() => tree.remove());

const errorsIn = (path: string): string[] =>
  checked.split('\n').filter((line) => line.startsWith(`${path}(`));

test.for([...Object.keys(sound), 'soundAction'])('%s compiles', (name) => {
  expect(errorsIn(`${declared}/${name}.ts`)).toEqual([]);
});

test.for([...Object.keys(broken), 'writeWithoutChange'])('%s does not compile', (name) => {
  expect(errorsIn(`${declared}/${name}.ts`)).not.toEqual([]);
});

test('Recipes pass the type check, which finds errors only in the broken declarations, and the linter', async () => {
  const places = checked.split('\n').flatMap((line) => /^(\S+?)\(\d/.exec(line)?.[1] ?? []);
  expect([...new Set(places)].toSorted()).toEqual(
    [...Object.keys(broken), 'writeWithoutChange'].map((name) => `${declared}/${name}.ts`).toSorted(),
  );
  expect(await tree.run('oxlint', ['--quiet', ...added])).toMatchObject({ status: 0 });
});

test('A query, an action, a webhook, a cron job, a feed and an aircraft are loaded once their file exists, and a file with another name or kind is refused', async () => {
  const { status, output } = await tree.run('node', ['list.ts']);
  expect([status, output]).toEqual([0, expect.stringContaining('{')]);
  const found = JSON.parse(output.slice(output.indexOf('{'))) as { reference: string };
  expect(found).toMatchObject({
    queries: expect.arrayContaining(['echoWord', 'login']),
    actions: expect.arrayContaining(['rename_user', 'user_subscriptions']),
    webhooks: expect.arrayContaining(['card-dispute', 'card-ipn']),
    cron: expect.arrayContaining(['count.users', 'sweep.logs']),
    feeds: expect.arrayContaining(['volcanoes', 'metar']),
    aircraft: expect.arrayContaining(['737-800-TEST', '737-800-7B26']),
    misnamed: 'Error: apps/api/queries/users/misnamed.ts must default-export a query named "misnamed"',
    ofOtherKind:
      'Error: apps/api/queries/users/ofOtherKind.ts must default-export a query named "ofOtherKind"',
  });
  for (const words of ['| [echoWord](../apps/api/queries/', 'rename_user', 'card-dispute'])
    expect(found.reference).toContain(words);
});
