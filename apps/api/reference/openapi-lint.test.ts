/** The OpenAPI documents pass the linter that client developers use, with all recommended rules. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hasInterop, interopNote, requireInterop } from '#test/support/interop.ts';
import { sampled } from '#test/support/deep.ts';
import { isSecretName } from '#platform/redaction/names.ts';
import { loadRegistries } from '../registry.ts';
import { openApiDocument } from '../v2/document.ts';
import { recordedExample } from './examples.ts';
import { documentOf, referenceDocuments } from './openapi.ts';

const baseUrl = 'https://efb.example';
const registries = await loadRegistries();
const operations = [...registries.queries.operations, ...registries.actions.operations];
const document = referenceDocuments(registries, baseUrl).document();

interface Media {
  example?: unknown;
  examples?: Record<string, unknown>;
}
interface Body {
  content?: Record<string, Media>;
}
interface Documented {
  operationId: string;
  parameters?: { in: string; example?: unknown }[];
  requestBody?: Body;
  responses: Record<string, Body>;
}
type Paths = Record<string, Record<string, Documented>>;

const mediaOf = ({ content = {} }: Body): Media[] => Object.values(content);
const hasExample = ({ example, examples }: Media): boolean => example !== undefined || examples !== undefined;

/**
 * Operations with a request body but no example of it, or without an example answer. Webhooks answer with
 * receipts.
 */
const withoutExamples = (text: string): string[] =>
  Object.entries((JSON.parse(text) as { paths: Paths }).paths)
    .filter(([path]) => !path.startsWith('/api/webhooks/'))
    .flatMap(([, methods]) => Object.values(methods))
    .flatMap(({ operationId, requestBody, responses }) => [
      ...(requestBody && !mediaOf(requestBody).some(hasExample) ? [`${operationId}: request`] : []),
      ...(Object.values(responses).flatMap(mediaOf).some(hasExample) ? [] : [`${operationId}: answer`]),
    ]);

test('Every operation, signed action and route has an example request and answer', () => {
  expect([document, JSON.stringify(openApiDocument(baseUrl))].flatMap(withoutExamples)).toEqual([]);
  // A query that is always refused has no successful answer.
  const succeeding = operations.filter(({ output }) => !(output instanceof z.ZodNever));
  expect(
    succeeding.filter(({ name }) => recordedExample(name) === undefined).map(({ name }) => name),
    'recorded by UPDATE_EXAMPLES=1 npx vitest run TEST_OF_THE_QUERY',
  ).toEqual([]);
});

test('No example contains a secret or an address of the machine it was recorded on', () => {
  expect(document).not.toMatch(/127\.0\.0\.1|localhost|dk_[\w-]{8}|pilot\d+\./);
});

test('Names on the interface are neutral words, not product names (M-2.1.7)', () => {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      names.add(name);
      collect(inner);
    }
  };
  collect(JSON.parse(document));
  const brands =
    /simbrief|navigraph|discord|hoppie|paypal|2checkout|verifone|stripe|apple|google|foreflight/i;
  // The paths of webhooks have the codes that their providers use.
  expect([...names].filter((name) => !name.startsWith('/') && brands.test(name))).toEqual([]);
  expect([...names]).toEqual(expect.arrayContaining(['plannerUserId', 'datalinkCallsign', 'chatID']));
});

test('Of all declared fields only those that carry secrets are redacted', () => {
  const declared = new Set<string>();
  const collect = (schema: unknown) => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties } = schema as { properties?: object };
    for (const name of Object.keys(properties ?? {})) declared.add(name);
    for (const child of Object.values(schema)) collect(child);
  };
  collect(JSON.parse(document));
  expect(declared.size).toBeGreaterThan(300);
  expect([...declared].filter(isSecretName).sort()).toEqual([
    'apiKey',
    'api_key',
    'cardLast4',
    'confirmationToken',
    'confirmation_token',
    'deepLink',
    'devKey',
    'dev_key',
    'deviceCode',
    'newPassword',
    'oldPassword',
    'password',
    'pin',
    'qrPayload',
    'shareCode',
    'shareToken',
    'shareUrl',
    'signature',
    'storeAccountToken',
    'token',
    'userCode',
  ]);
});

/** The part of Redocly's API used here. */
interface Linter {
  createConfig: (rules: { extends: string[] }) => Promise<object>;
  lintFromString: (
    document: Readonly<Record<'source' | 'absoluteRef', string>> & { config: object },
  ) => Promise<{ ruleId: string; message: string; location: { pointer?: string }[] }[]>;
}

describe.skipIf(!hasInterop)(`the linters that client developers use${interopNote}`, () => {
  /** Errors and warnings, with the rule and the place. */
  const problemsOf = async (source: string): Promise<string[]> => {
    const { createConfig, lintFromString } = requireInterop('@redocly/openapi-core') as Linter;
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    return problems.map(
      ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`,
    );
  };

  test('Redocly reports nothing on the OpenAPI documents of /api, with a sample of the queries, and of /v2', async () => {
    // Form (c) belongs to one query.
    const one = registries.queries.operations.filter(({ dialect }) => dialect === 'settings');
    const queries = [...new Set([...one, ...sampled(registries.queries.operations, 3)])];
    expect(await problemsOf(JSON.stringify(documentOf(queries, registries, baseUrl)))).toEqual([]);
    expect(await problemsOf(JSON.stringify(openApiDocument(baseUrl)))).toEqual([]);
  });

  test('An undocumented operation is reported', async () => {
    const { paths, ...rest } = openApiDocument(baseUrl);
    const { summary: _, description: __, ...bare } = paths['/v2/health'].get;
    const broken = { ...rest, paths: { ...paths, '/v2/health': { get: bare } } };
    expect(await problemsOf(JSON.stringify(broken))).toEqual([
      expect.stringMatching(/^operation-summary .*v2~1health/),
    ]);
  });
});
