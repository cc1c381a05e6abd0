import { expect, test } from 'vitest';
import { SourceError } from '#domain/source-error.ts';
import { parseOverpass } from '../feeds/osm/overpass.ts';
import { parseIvaoAtis } from '../feeds/datis/atis.ts';
import { readFaaNavdata } from '../feeds/navdata/faa.ts';
import { parseSourceJson } from './source-json.ts';

const deep = (inner: string): string => `${'['.repeat(500_000)}${inner}${']'.repeat(500_000)}`;

test.each([
  ['map', (text: string) => parseOverpass(`{"elements":[${text}]}`)],
  ['ATIS', (text: string) => parseIvaoAtis(text, null)],
  ['navigation data', (text: string) => readFaaNavdata(`{"records":${text}}`)],
])('JSON of %s nested 500,000 deep is a typed error of the source', (_name, read) => {
  expect(() => read(deep('1'))).toThrow(SourceError);
  expect(() => read(deep('1'))).toThrow(/more than 100 levels deep/);
});

test('Brackets inside texts and many siblings do not add to the depth', () => {
  const value = { a: '[{'.repeat(500), b: '"\\[', list: Array.from({ length: 500 }, () => [{}]) };
  expect(parseSourceJson(JSON.stringify(value), 'It')).toEqual(value);
});
