/**
 * The recipes of docs/development.md: each is added to a copy of the project, which then loads it; a webhook as a row, the others as a file.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryTree } from './support/temporary-tree.ts';
import type { TemporaryTree } from './support/temporary-tree.ts';

const operation = (kind: string, name: string) => `
import { z } from 'zod';
import { defineOperation } from '../../define.ts';

export default defineOperation('${kind}')({
  name: '${name}',
  spec: ['2.7'],
  summary: 'Returns its input.',
  auth: 'none',
  devKey: null,
  dialect: 'flat',
  errors: {},
  input: z.object({ word: z.string('INVALID_INPUT').max(20) }),
  output: z.strictObject({ word: z.string() }),
  tx: 'read',
  example: { word: 'hello' },
  handler: async ({ input }) => ({ word: input.word }),
});
`;

const action = `
import { z } from 'zod';
import { defineAction } from '../../define-action.ts';

export default defineAction({
  name: 'rename_user',
  spec: ['4.8'],
  summary: 'Returns its input.',
  changesState: false,
  errors: {},
  input: z.object({ word: z.string('INVALID_INPUT').max(20) }),
  output: z.strictObject({ word: z.string() }),
  tx: 'read',
  handler: async ({ input }) => ({ word: input.word }),
});
`;

const webhook = `
  {
    gateway: 'card',
    event: 'dispute',
    summary: 'Disputes of the card gateway.',
    verified: 'HMAC signature over the values of the form',
  },`;

const operationTest = `
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

test('It answers with the word', async () => {
  const answer = await api.call('echoWord', { data: { word: 'hello' } });
  expect(answer).toMatchObject({ status: 200, body: { word: 'hello' } });
});
`;

const cronJob = `
import { cronJob } from '../cron.ts';

export default cronJob({ name: 'count.users', cron: '5 * * * *', timeoutSeconds: 60 }, async ({ log }) => {
  log.info('counted');
});
`;

const feed = `
import { defineFeed } from '../define-feed.ts';

export default defineFeed<string, string[]>({
  name: 'volcanoes',
  schedule: '*/30 * * * *',
  graceMinutes: 60,
  staleMinutes: 240,
  timeoutSeconds: 60,
  maxBytes: 1_000_000,
  content: 'text',
  guards: { compareWith: 'lastRun' },
  sources: () => [{ label: 'file', read: async () => 'Etna' }],
  parse: (raw) => ({ records: [raw], count: 1, rejects: [] }),
  store: async (_tx, records) => records.length,
});
`;

/** Lists everything that the loaders of the copy find. */
const listing = `
import { loadRegistries } from '#api/registry.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { checkProfile } from '#perf/check/profile.ts';
import { loadFeeds } from '#scheduler/registry.ts';
import { loadWorkerJobs } from '#workers/registry.ts';

const { queries, actions, webhooks } = await loadRegistries();
const names = ({ operations }: typeof queries) => operations.map(({ name }) => name);

console.log(
  JSON.stringify({
    queries: names(queries),
    actions: names(actions),
    webhooks: names(webhooks),
    cron: (await loadWorkerJobs()).filter(({ cron }) => cron).map(({ contract }) => contract.name),
    feeds: [...(await loadFeeds()).keys()],
    aircraft: [...(await loadProfiles(checkProfile)).keys()],
  }),
);
`;

/** Time limit of project-wide tools on a busy machine. */
const toolTimeoutMs = 180_000;

let tree: TemporaryTree;
const added: string[] = [];
beforeAll(async () => {
  tree = await temporaryTree();
  const profile = JSON.parse(
    await readFile(join(tree.folder, 'libs/perf/aircraft/737-800-7B26.json'), 'utf8'),
  ) as Record<string, unknown>;
  const webhooks = await readFile(join(tree.folder, 'apps/api/webhooks/webhooks.ts'), 'utf8');
  const files = {
    'apps/api/queries/users/echoWord.ts': operation('query', 'echoWord'),
    'apps/api/queries/users/echoWord.test.ts': operationTest,
    'apps/api/actions/users/rename_user.ts': action,
    'apps/api/webhooks/webhooks.ts': webhooks.replace(
      'declared: readonly WebhookDeclaration[] = [',
      (line) => line + webhook,
    ),
    'apps/workers/jobs/count-users.ts': cronJob,
    'apps/scheduler/feeds/volcanoes.ts': feed,
    'libs/perf/aircraft/737-800-TEST.json': JSON.stringify({ ...profile, id: '737-800-TEST' }),
    'list.ts': listing,
  };
  added.push(...Object.keys(files));
  await tree.write(files);
});
afterAll(() => tree.remove());

test('A query, an action, a webhook, a cron job, a feed and an aircraft are loaded once their file exists', async () => {
  const { status, output } = await tree.run('node', ['list.ts']);
  expect([status, output]).toEqual([0, expect.stringContaining('{')]);
  expect(JSON.parse(output.slice(output.indexOf('{')))).toEqual({
    queries: expect.arrayContaining(['echoWord', 'login']),
    actions: expect.arrayContaining(['rename_user', 'user_subscriptions']),
    webhooks: expect.arrayContaining(['card-dispute', 'card-ipn']),
    cron: expect.arrayContaining(['count.users', 'sweep.logs']),
    feeds: expect.arrayContaining(['volcanoes', 'metar']),
    aircraft: expect.arrayContaining(['737-800-TEST', '737-800-7B26']),
  });
});

test(
  'They pass the type check and the linter, and the reference has the query',
  { timeout: toolTimeoutMs },
  async () => {
    const sources = added.filter((path) => /^apps.*\.ts$/.test(path));
    const checked = await tree.check(sources);
    expect(checked).toEqual({ status: 0, output: '' });
    const linted = await tree.run('oxlint', ['--quiet', ...sources]);
    expect(linted).toMatchObject({ status: 0 });
    expect((await tree.run('node', ['tools/reference/main.ts'])).status).toBe(0);
    const reference = await readFile(join(tree.folder, 'docs/queries.md'), 'utf8');
    expect(reference).toContain('| [echoWord](../apps/api/queries/');
    const signed = await readFile(join(tree.folder, 'docs/actions.md'), 'utf8');
    expect(signed).toContain('rename_user');
    expect(signed).toContain('card-dispute');
  },
);

test('A file with a name other than the operation’s, or with another kind, prevents startup', async () => {
  await tree.write({ 'apps/api/queries/users/other.ts': operation('query', 'echoWord') });
  const misnamed = await tree.run('node', ['list.ts']);
  expect(misnamed.status).not.toBe(0);
  expect(misnamed.output).toContain(
    'apps/api/queries/users/other.ts must default-export a query named "other"',
  );
  await tree.write({ 'apps/api/queries/users/other.ts': operation('webhook', 'other') });
  const ofOtherKind = await tree.run('node', ['list.ts']);
  expect(ofOtherKind.output).toContain(
    'apps/api/queries/users/other.ts must default-export a query named "other"',
  );
});
