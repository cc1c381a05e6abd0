/** Properties of every operation, derived from the declarations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { dialects } from '#api/dialects.ts';
import { errorEntry } from '#api/errors.ts';
import { loadRegistries } from '#api/registry.ts';
import type { Registered } from '#api/registry.ts';
import { limitsText } from '#api/reference/terms.ts';
import { referenceText } from '#tools/reference/queries.ts';
import { actionsText } from '#tools/reference/actions.ts';
import { cureGroups } from '#tools/reference/error-cures.ts';
import { eventPage } from '#tools/reference/event-page.ts';
import { cautionPage } from '#tools/reference/caution-page.ts';
import { withExample } from '#tools/reference/example-part.ts';
import { withRepeats } from '#tools/reference/repeats-table.ts';
import { withRetentions } from '#tools/reference/retentions-table.ts';
import { withRevocations } from '#tools/reference/revocations-table.ts';
import { causesByCode, errorPage } from '#tools/reference/error-page.ts';
import { configurationReference } from '#tools/reference/configuration.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { publishedBy } from '../support/published.ts';
import { apiKeyOf } from '../support/signed.ts';

const root = join(import.meta.dirname, '../..');
const all = await loadRegistries();
const { queries: registry } = all;
const { operations } = registry;

let api: TestApi;
let user: TestUser;
let apiKey: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  apiKey = await apiKeyOf(api, user);
});
afterAll(() => api.close());

/** The status of a failure in the operation's envelope: some are always 200. */
const statusIn = ({ dialect }: Registered, status: number): number =>
  dialects[dialect].failure.status ?? status;

/** The declared message of a code. */
const messageOf = ({ errors }: Registered, code: string): string => errorEntry(errors, code)?.message ?? '';

/** Code and text of an error in any form. */
const errorOf = (body: Record<string, unknown>): string => JSON.stringify(body['error'] ?? body['Error']);

describe('every operation', () => {
  test('A call without a token is refused with nothing but the error form (M-5.1)', async () => {
    for (const operation of operations.filter(({ auth }) => auth === 'jwt')) {
      const answer = await api.call(operation.name, { data: operation.example ?? {} });
      expect([operation.name, answer.status]).toEqual([operation.name, statusIn(operation, 401)]);
      expect(errorOf(answer.body)).toContain(messageOf(operation, 'AUTH_REQUIRED'));
      expect(answer.headers.get('x-svc-log-id')).toMatch(/^\d+$/);
    }
  });

  test('A call with an invalid developer key is refused where one is required (M-5.2f)', async () => {
    for (const operation of operations.filter(({ devKey }) => devKey !== null)) {
      const answer = await api.call(operation.name, {
        token: user.token,
        data: operation.example ?? {},
        devKey: 'dk_wrong',
        // The user is known, so that only the developer key is wrong.
        body:
          typeof operation.auth === 'object' && 'apiKey' in operation.auth
            ? { [operation.auth.apiKey]: apiKey }
            : {},
      });
      const { status } = errorEntry(operation.errors, 'INVALID_DEV_KEY') ?? { status: 0 };
      expect([operation.name, answer.status]).toEqual([operation.name, statusIn(operation, status)]);
      expect(errorOf(answer.body)).toContain(messageOf(operation, 'INVALID_DEV_KEY'));
    }
  });

  test('A call whose key lacks the permission is ACCESS_DENIED (M-5.2c, M-5.2d, M-5.2f)', async () => {
    const bare = await api.key({ userInfo: null });
    for (const operation of operations.filter(({ devKey }) => devKey !== null && devKey !== 'any')) {
      const answer = await api.call(operation.name, {
        token: user.token,
        data: operation.example ?? {},
        devKey: bare,
      });
      expect([operation.name, answer.status]).toEqual([operation.name, statusIn(operation, 403)]);
      const hasOwnMessage = typeof operation.errors['ACCESS_DENIED'] === 'object';
      expect(errorOf(answer.body)).toContain(
        hasOwnMessage ? messageOf(operation, 'ACCESS_DENIED') : 'This query needs the permission ',
      );
    }
  });

  test('An alias answers like its name', async () => {
    for (const operation of operations.filter(({ aliases }) => aliases?.length)) {
      for (const alias of operation.aliases ?? []) {
        const [byName, byAlias] = [await api.call(operation.name), await api.call(alias)];
        expect([alias, byAlias.status]).toEqual([alias, byName.status]);
        expect(errorOf(byAlias.body)).toBe(errorOf(byName.body));
      }
    }
  });

  test('A level above the user’s is refused', async () => {
    for (const operation of operations.filter(({ level }) => (level ?? 0) > 0)) {
      const answer = await api.call(operation.name, {
        token: user.token,
        devKey: await api.key(),
        data: operation.example ?? {},
      });
      expect(answer.status).toBe(statusIn(operation, 403));
      expect(errorOf(answer.body)).toContain(messageOf(operation, 'SUBSCRIPTION_LEVEL_REQUIRED'));
    }
  });

  test('An operation declares its sections of the specification, its summary and a valid example', () => {
    for (const operation of operations) {
      expect([operation.name, operation.spec.length > 0, operation.summary.endsWith('.')]).toEqual([
        operation.name,
        true,
        true,
      ]);
      const parsed = operation.input.safeParse(operation.example ?? {});
      expect([operation.name, parsed.error?.issues]).toEqual([operation.name, undefined]);
    }
  });
});

test('The validation of test answers finds undeclared fields, wrong types, wrong statuses and undeclared codes', async () => {
  const { problems } = await publishedBy(api.url);
  const { status, body } = await api.call('airportStatus');
  expect([status, problems('airportStatus', 200, body)]).toEqual([200, []]);
  expect(problems('airportStatus', 200, { ...body, more: 1 })).not.toEqual([]);
  expect(problems('airportStatus', 200, { ...body, apiVersion: 1 })).not.toEqual([]);
  const refused = (await api.call('refreshUserData')).body;
  expect(problems('refreshUserData', 401, refused)).toEqual([]);
  expect(problems('refreshUserData', 403, refused)).toEqual(['AUTH_REQUIRED with 403, not 401']);
  expect(problems('airportStatus', 401, refused)).toEqual(['undocumented code AUTH_REQUIRED']);
});

describe('the generated reference', () => {
  test('A limit says whether it counts every call, failures or successes', () => {
    const limitsIn = (name: string) => limitsText(registry.find(name) as Registered);
    expect(limitsIn('ofpShare')).toContain('; 60 per 3600 s by user');
    expect(limitsIn('ofpShareAccept')).toContain(
      '; 10 failures per 3600 s by user; 30 failures per 3600 s by',
    );
    expect(limitsIn('submitFeedback')).toContain('; 5 successes per 3600 s by user');
  });

  test('Every error code of the service has one remedy, and no other code has any', () => {
    const cured = cureGroups.flatMap(({ cures }) => Object.keys(cures));
    expect(cured.toSorted()).toEqual([...causesByCode(all).keys()].toSorted());
  });

  test('docs/queries.md, docs/actions.md, docs/configuration.md and the pages of errors, cautions and events match the declarations (npm run docs)', () => {
    expect(readFileSync(join(root, 'docs/queries.md'), 'utf8')).toBe(referenceText(registry));
    expect(readFileSync(join(root, 'docs/actions.md'), 'utf8')).toBe(actionsText(all));
    expect(readFileSync(join(root, 'docs/guide/errors.md'), 'utf8')).toBe(errorPage(all));
    expect(readFileSync(join(root, 'docs/guide/cautions.md'), 'utf8')).toBe(cautionPage());
    expect(readFileSync(join(root, 'docs/guide/events.md'), 'utf8')).toBe(eventPage());
    const users = readFileSync(join(root, 'docs/users.md'), 'utf8');
    expect(users).toBe(withRevocations(users));
    const runbook = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    expect(runbook).toBe(withRetentions(runbook));
    const offline = readFileSync(join(root, 'docs/guide/offline.md'), 'utf8');
    const example = readFileSync(join(root, 'clients/typescript/examples/pad.ts'), 'utf8');
    expect(offline).toBe(withExample(withRepeats(offline, operations), example));
    expect(readFileSync(join(root, 'docs/configuration.md'), 'utf8')).toBe(configurationReference());
  });

  test('The OpenAPI document lists every operation, all references resolve, and examples are valid', async () => {
    const document = (await (await api.fetch('/api/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, unknown>;
      components: { schemas: Record<string, unknown> };
    };
    expect(document.openapi).toBe('3.1.0');
    const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
    addFormats.default(ajv);
    ajv.addSchema(document, 'api');
    for (const operation of operations) {
      expect(document.paths).toHaveProperty([`/api#${operation.name}`]);
      expect(document.components.schemas).toHaveProperty(`${operation.name}Response`);
      const request = ajv.getSchema(`api#/components/schemas/${operation.name}Request`);
      const body = {
        query: operation.name,
        ...(operation.example === undefined ? {} : { data: operation.example }),
      };
      expect([operation.name, request?.(body), request?.errors]).toEqual([operation.name, true, null]);
    }
    const named = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
    const missing = [...named]
      .map(([, name = '']) => name)
      .filter((name) => !(name in document.components.schemas));
    expect(missing).toEqual([]);
  });

  test('Each query has its own path with types, tag, security and errors in the OpenAPI document', async () => {
    const document = (await (await api.fetch('/api/openapi.json')).json()) as {
      tags: { name: string }[];
      paths: Record<string, { post: Record<string, unknown> }>;
    };
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { name, file, summary } of operations) {
      const { tags: own, ...post } = document.paths[`/api#${name}`]?.post ?? {};
      expect([name, own]).toEqual([name, [file.split('/').at(-2)]]);
      expect(tags).toContain((own as string[])[0]);
      expect(post).toMatchObject({
        operationId: name,
        summary,
        requestBody: {
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}Request` } } },
        },
      });
    }
    // Errors of navdata are answered with 200.
    const answers = document.paths['/api#navdataSearch']?.post['responses'] as Record<string, object>;
    expect(answers['200']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            anyOf: [
              { $ref: '#/components/schemas/navdataSearchResponse' },
              { $ref: '#/components/schemas/ErrorList' },
            ],
          },
        },
      },
    });
    expect(JSON.stringify(document)).not.toContain('9007199254740991');
  });

  test('Each operation has a JSON Schema with an ETag, listed in the index', async () => {
    const index = (await (await api.fetch('/api/schemas')).json()) as { schemas: { name: string }[] };
    expect(index.schemas.map(({ name }) => name)).toEqual(
      operations.map(({ name }) => name).sort((a, b) => a.localeCompare(b)),
    );
    for (const { name } of index.schemas) {
      const response = await api.fetch(`/api/schemas/${name}.json`);
      expect([name, response.status]).toEqual([name, 200]);
      expect(await response.json()).toMatchObject({ title: name, properties: { request: {}, response: {} } });
      const again = await api.fetch(`/api/schemas/${name}.json`, {
        headers: { 'if-none-match': response.headers.get('etag') ?? '' },
      });
      expect(again.status).toBe(304);
    }
    expect((await api.fetch('/api/schemas/nothing.json')).status).toBe(404);
  });
});
