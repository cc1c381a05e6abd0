/** Every field of the documents has a description with its unit and meaning. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadRegistries } from '../registry.ts';
import { openApiDocument } from '../v2/document.ts';
import { syncKinds } from '#domain/sync/change.ts';
import { described, glossary } from './describe.ts';
import { referenceDocuments } from './openapi.ts';
import base from './openapi.json' with { type: 'json' };

const registries = await loadRegistries();
const { document, schemas } = referenceDocuments(registries, 'https://efb.example');

interface Field {
  path: string;
  schema: Record<string, unknown>;
}

/** Every field in `properties`, in components and inline bodies, and every parameter. */
const fieldsOf = (value: unknown, path: string): Field[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => fieldsOf(item, `${path}[${i}]`));
  return Object.entries(value as Record<string, unknown>).flatMap(([key, inner]) => {
    if (['const', 'enum', 'default', 'example', 'examples', 'required'].includes(key)) return [];
    const here = ['properties', 'parameters'].includes(key)
      ? Object.entries(inner as Record<string, Field['schema']>).map(([name, schema]) => ({
          path: `${path}.${key === 'parameters' ? `parameters.${String(schema['name'])}` : name}`,
          schema,
        }))
      : [];
    return [...here, ...fieldsOf(inner, `${path}.${key}`)];
  });
};

const documents: Record<string, unknown> = {
  'one path per query': JSON.parse(document()),
  '/v2': openApiDocument('https://efb.example'),
  'schemas of queries': registries.queries.operations.map(({ name }) =>
    JSON.parse(schemas.get(name)?.() ?? '{}'),
  ),
};

test('Every field of requests, responses and errors is described, for queries, signed actions and /v2', () => {
  for (const [name, content] of Object.entries(documents)) {
    const fields = fieldsOf(content, '');
    const missing = fields.filter(({ schema }) => typeof schema['description'] !== 'string');
    expect(
      missing.map(({ path }) => path),
      `${name}: each needs \`.describe()\` in its schema, or a sentence in apps/api/reference/glossary`,
    ).toEqual([]);
    expect(fields.length, name).toBeGreaterThan(name === '/v2' ? 20 : 2_000);
  }
});

/** Unit suffixes of field names, with the words by which a description states them. */
const units: readonly [RegExp, RegExp][] = [
  [/(?:Ft|_ft)$/, /\bfeet\b/],
  [/(?:[a-z]Kt|_kt)$/, /\bknots\b/],
  [/Nm$/, /nautical miles/],
  [/(?:Seconds|expiresIn)$/, /\bseconds\b/],
  [/(?:TemperatureC|DeviationC)$/, /degrees C/],
  [/hPa$/, /\bhPa\b/],
  [/InHg$/, /inches of mercury/],
  [/(?:Bytes|fileSize)$/, /\bbytes\b/],
  [/(?:Mb)$/, /\bMB\b/],
  [/Days$/i, /\b[Dd]ays\b/],
  [/_mm$/, /\bmm\b/],
  [/(?:Percent|Pct)$/, /percent/],
  [/(?:At|_at)$/, /UTC|offset|ISO 8601/],
];

test('The description of a field whose name ends in a unit or time states it', () => {
  const fields = fieldsOf(documents['one path per query'], '');
  const wrong = fields.filter(({ path, schema }) => {
    const name = path.split('.').at(-1) ?? '';
    const rule = units.find(([end]) => end.test(name));
    return rule !== undefined && !rule[1].test(String(schema['description']));
  });
  expect(wrong.map(({ path, schema }) => `${path}: ${String(schema['description'])}`)).toEqual([]);
});

test('Every glossary sentence is used, belongs to one subject, and says more than the field name', () => {
  const lines = globSync(`${import.meta.dirname}/glossary/*.json`).flatMap(
    (file) => readFileSync(file, 'utf8').match(/^ {2}"/gm) ?? [],
  );
  expect(lines.length).toBe(Object.keys(glossary).length);
  const used = new Set(fieldsOf(documents, '').map(({ schema }) => String(schema['description'])));
  const unused = Object.entries(glossary).filter(([, text]) => !used.has(text));
  expect(unused.map(([key]) => key)).toEqual([]);
  const words = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];
  const filler = Object.entries(glossary).filter(([key, text]) => {
    const own = words((key.split('.').at(-1) ?? '').replaceAll(/(?=[A-Z])/g, ' '));
    return words(text).every((word) => ['the', 'a', 'of', 'name', ...own].includes(word));
  });
  expect(filler.map(([key]) => key)).toEqual([]);
});

test('The glossary key with the nearest name above a field applies, but a description in the schema takes precedence', () => {
  const text = { type: 'string' };
  const nullable = { anyOf: [{ type: 'string', description: 'of the schema' }, { type: 'null' }] };
  const properties = {
    date: { ...text, description: 'mine' },
    icao: nullable,
    text,
    parts: { type: 'array', items: { properties: { date: text, text, unknown: text } } },
    textHighlighted: { properties: { text } },
  };
  const schema = described('weatherResponse', { properties, required: ['date'] });
  const inWeather = { ...text, description: glossary['weather.text'] };
  expect(schema).toEqual({
    properties: {
      date: { ...text, description: 'mine' },
      icao: { ...nullable, description: 'of the schema' },
      text: inWeather,
      parts: {
        ...properties.parts,
        items: {
          properties: { date: { ...text, description: glossary['date'] }, text: inWeather, unknown: text },
        },
      },
      textHighlighted: {
        description: glossary['textHighlighted'],
        properties: { text: { ...text, description: glossary['textHighlighted.text'] } },
      },
    },
    required: ['date'],
  });
});

test('The stream of changes offers every kind of change', () => {
  const { parameters } = base.paths['/api/changes'].get;
  expect(parameters.flatMap(({ schema }) => ('items' in schema ? schema.items.enum : []))).toEqual(syncKinds);
});
