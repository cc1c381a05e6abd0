/** The recipes of docs/development.md: each adds one file to the project, a webhook one row. */
/** A file that declares an operation which returns its input. */
export const operation = (kind: string, name: string) => `
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

/** The table of webhooks with one more row. */
export const withWebhook = (table: string): string =>
  table.replace('declared: readonly WebhookDeclaration[] = [', (line) => line + webhook);

const operationTest = `
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

test('The answer contains the word', async () => {
  const answer = await api.call('echoWord', { data: { word: 'hello' } });
  expect(answer).toMatchObject({ status: 200, body: { word: 'hello' } });
});
`;

const cronJob = `
import { cronJob } from '../worker-job.ts';

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
  guards: { compareWith: 'lastRun' },
  sources: () => [{ label: 'file', read: async () => 'Etna' }],
  parse: (raw) => ({ records: [raw], count: 1, rejects: [] }),
  store: async (_tx, records) => records.length,
});
`;

/** By their path from the project's root. */
export const recipes: Readonly<Record<string, string>> = {
  'apps/api/queries/users/echoWord.ts': operation('query', 'echoWord'),
  'apps/api/queries/users/echoWord.test.ts': operationTest,
  'apps/api/actions/users/rename_user.ts': action,
  'apps/workers/jobs/count-users.ts': cronJob,
  'apps/scheduler/feeds/volcanoes.ts': feed,
};

/** Prints what the loaders of the copy find, their errors for two wrong files, and the reference. */
export const listing = `
import { rmSync, writeFileSync } from 'node:fs';
import { referenceText } from '#tools/reference/queries.ts';
import { loadRegistries } from '#api/registry.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { checkProfile } from '#perf/check/profile.ts';
import { loadFeeds } from '#scheduler/define-feed.ts';
import { actionsText } from '#tools/reference/actions.ts';
import { loadWorkerJobs } from '#workers/worker-job.ts';

const registries = await loadRegistries();
const namesOf = (kind: keyof typeof registries) => registries[kind].operations.map(({ name }) => name);
/** Error of a freshly loaded registry that contains this file. */
const refusalOf = async (name: string, text: string) => {
  const path = \`apps/api/queries/users/\${name}.ts\`;
  writeFileSync(path, text);
  const { loadRegistries: load } = await import(\`./apps/api/registry.ts?\${name}\`);
  const answer = await load().then(() => 'loaded', (error: unknown) => String(error));
  rmSync(path);
  return answer;
};

console.log(
  JSON.stringify({
    queries: namesOf('queries'),
    actions: namesOf('actions'),
    webhooks: namesOf('webhooks'),
    cron: (await loadWorkerJobs()).filter(({ cron }) => cron).map(({ contract }) => contract.name),
    feeds: [...(await loadFeeds()).keys()],
    aircraft: [...(await loadProfiles(checkProfile)).keys()],
    misnamed: await refusalOf('misnamed', ${JSON.stringify(operation('query', 'echoWord'))}),
    ofOtherKind: await refusalOf('ofOtherKind', ${JSON.stringify(operation('webhook', 'ofOtherKind'))}),
    reference: referenceText(registries.queries) + actionsText(registries),
  }),
);
`;
