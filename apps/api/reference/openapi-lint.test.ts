/** The OpenAPI documents pass the linters that client developers use, with all recommended rules. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { loadRegistries } from '../registry.ts';
import { openApiDocument } from '../v2/document.ts';
import { referenceDocuments } from './openapi.ts';

const baseUrl = 'https://efb.example';
const { document, single } = referenceDocuments(await loadRegistries(), baseUrl);

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[spectralRulesets.oas, 'recommended']] } as RulesetDefinition);
const redocly = await createConfig({ extends: ['recommended'] });

/** Errors, warnings and hints of both, with the rule and the place. */
const problemsOf = async (text: string): Promise<string[]> => {
  const bySpectral = await spectral.run(text);
  const byRedocly = await lintFromString({ source: text, absoluteRef: '/openapi.json', config: redocly });
  return [
    ...bySpectral.map(({ code, message, path }) => `Spectral ${code} ${path.join('.')}: ${message}`),
    ...byRedocly.map(
      ({ ruleId, message, location }) => `Redocly ${ruleId} ${location[0]?.pointer ?? ''}: ${message}`,
    ),
  ];
};

const rulesOf = (problems: readonly string[]) =>
  new Set(problems.map((problem) => problem.split(' ').slice(0, 2).join(' ')));

test('Spectral and Redocly report nothing on the OpenAPI documents of /api, both forms, and of /v2', async () => {
  expect(await problemsOf(document)).toEqual([]);
  expect(await problemsOf(single)).toEqual([]);
  expect(await problemsOf(JSON.stringify(openApiDocument(baseUrl)))).toEqual([]);
});

test('Both linters report a document with an operation that is not documented', async () => {
  const { paths, ...rest } = openApiDocument(baseUrl);
  const { summary: _, description: __, ...bare } = paths['/v2/health'].get;
  const broken = { ...rest, paths: { ...paths, '/v2/health': { get: bare } } };
  expect(rulesOf(await problemsOf(JSON.stringify(broken)))).toEqual(
    new Set(['Spectral operation-description', 'Redocly operation-summary']),
  );
});
