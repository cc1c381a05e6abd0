/** The OpenAPI documents pass the linter that client developers use, with all recommended rules. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadRegistries } from '../registry.ts';
import { openApiDocument } from '../v2/document.ts';
import { recordedExample } from './examples.ts';
import { leavesWithout, valuesByName, withExamples } from './leaf-examples.ts';
import { referenceDocuments } from './openapi.ts';

const baseUrl = 'https://efb.example';
const registries = await loadRegistries();
const operations = [...registries.queries.operations, ...registries.actions.operations];
const reference = referenceDocuments(registries, baseUrl);
const [document, single] = [reference.document(), reference.single()];

const redocly = await createConfig({ extends: ['recommended'] });

/** Errors and warnings, with the rule and the place. */
const problemsOf = async (text: string): Promise<string[]> => {
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config: redocly });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`,
  );
};

test('Redocly reports nothing on the OpenAPI documents of /api, both forms, and of /v2', async () => {
  expect(await problemsOf(document)).toEqual([]);
  expect(await problemsOf(single)).toEqual([]);
  expect(await problemsOf(JSON.stringify(openApiDocument(baseUrl)))).toEqual([]);
});

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

/** Operations without an example of a request that has a body, or without one of an answer. Webhooks answer receipts. */
const withoutExamples = (text: string): string[] =>
  Object.entries((JSON.parse(text) as { paths: Paths }).paths)
    .filter(([path]) => !path.startsWith('/api/webhooks/'))
    .flatMap(([, methods]) => Object.values(methods))
    .flatMap(({ operationId, requestBody, responses }) => [
      ...(requestBody && !mediaOf(requestBody).some(hasExample) ? [`${operationId}: request`] : []),
      ...(Object.values(responses).flatMap(mediaOf).some(hasExample) ? [] : [`${operationId}: answer`]),
    ]);

test('Every operation, signed action and route has an example of its request and of its answer', () => {
  expect([document, single, JSON.stringify(openApiDocument(baseUrl))].flatMap(withoutExamples)).toEqual([]);
  // A query that is always refused has no answer of a success.
  const succeeding = operations.filter(({ output }) => !(output instanceof z.ZodNever));
  expect(
    succeeding.filter(({ name }) => recordedExample(name) === undefined).map(({ name }) => name),
  ).toEqual([]);
});

test('Every leaf of the schemas has an example, which it accepts', () => {
  const { schemas } = (JSON.parse(document) as { components: { schemas: Record<string, unknown> } })
    .components;
  const counted = Object.entries(schemas).map(([name, schema]) => leavesWithout(schema, name));
  expect(counted.reduce((sum, each) => sum + each.leaves, 0)).toBeGreaterThan(4_000);
  // A value for each of these names belongs in apps/api/reference/leaf-examples.json.
  expect(counted.flatMap((each) => each.without)).toEqual([]);
});

test('An example is the recorded value of its place, else one of its name, and never one that the schema refuses', () => {
  const named = valuesByName([{ departureIcao: 'EGLL', note: 'long enough' }]);
  const schema = {
    type: 'object',
    properties: {
      icao: { type: 'string', maxLength: 4 },
      note: { type: 'string', maxLength: 4 },
      level: { type: 'integer', minimum: 10 },
      list: { type: 'array', items: { enum: ['A', 'B'] } },
    },
  };
  expect(withExamples(schema, { level: 350, list: ['B'] }, named)['properties']).toEqual({
    icao: { type: 'string', maxLength: 4, examples: ['EGLL'] },
    note: { type: 'string', maxLength: 4 },
    level: { type: 'integer', minimum: 10, examples: [350] },
    list: { type: 'array', items: { enum: ['A', 'B'], examples: ['B'] } },
  });
  expect(leavesWithout(schema, 'x')).toMatchObject({
    leaves: 4,
    without: ['x.icao', 'x.note', 'x.level', 'x.list[]'],
  });
});

test('No example has a secret or an address of the machine that recorded it', () => {
  const texts = [document, single];
  for (const text of texts) expect(text).not.toMatch(/127\.0\.0\.1|localhost|dk_[\w-]{8}|pilot\d+\./);
});

test('An operation that is not documented is reported', async () => {
  const { paths, ...rest } = openApiDocument(baseUrl);
  const { summary: _, description: __, ...bare } = paths['/v2/health'].get;
  const broken = { ...rest, paths: { ...paths, '/v2/health': { get: bare } } };
  expect(await problemsOf(JSON.stringify(broken))).toEqual([
    expect.stringMatching(/^operation-summary .*v2~1health/),
  ]);
});
