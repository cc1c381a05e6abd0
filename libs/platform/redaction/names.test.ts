import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capital, secretWords } from '#test/support/secret-words.ts';
import { isSecretName } from './names.ts';

const allWords = [...secretWords, ['card', 'last4'], ['safety', 'code'], ['cookie']];

const spellings: ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join(' '),
  (words) => words.join('.'),
  (words) => words.join('_').toUpperCase(),
  (words) => words.join('-').toUpperCase(),
  (words) => words.map((word, i) => (i === 0 ? word : capital(word))).join(''),
  (words) => words.map(capital).join(''),
  (words) => words.map(capital).join('-'),
  (words) => words.map(capital).join(' '),
];

describe('names of secrets (M-5.8)', () => {
  const cases = allWords.flatMap((words) => spellings.map((spell) => [spell(words)]));
  test.each([...new Set(cases.flat())])('%s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test('Prefixes and suffixes in any spelling make no difference', () => {
    const other = fc.constantFrom(
      'user',
      'my',
      'old',
      'new',
      'x',
      'db',
      'client',
      'admin',
      'payment',
      'service',
    );
    const suffix = fc.constantFrom('', '1', '2', 'value', 'old', 'hash', 'confirm');
    const name = fc.tuple(fc.array(other, { maxLength: 3 }), fc.constantFrom(...allWords), suffix);
    fc.assert(
      fc.property(name, fc.constantFrom(...spellings), ([before, words, after], spell) => {
        expect(isSecretName(spell([...before, ...words, ...(after === '' ? [] : [after])]))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('Any name that contains `token` is secret', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('token', 'Token', 'TOKEN', 'tOkEn'),
        fc.string(),
        (a, b, c) => {
          expect(isSecretName(a + b + c)).toBe(true);
        },
      ),
    );
  });

  test.each([
    'user_password2',
    'X-API-Key',
    'shareCode',
    'userpass',
    'APIKeys',
    'crewpin',
    'creditCard',
    'ApiKEY',
  ])('%s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each([
    'passengers',
    'passengerCount',
    'passed',
    'passport',
    'compass',
    'gyrocompass',
    'bypass',
    'overpass',
    'pinned',
    'renewApiKey',
    'pinnedAt',
    'spinUp',
    'opinion',
    'mapping',
    'shipping',
    'cardinal',
    'cardiac',
    'discard',
    'scorecard',
    'wildcard',
    'author',
    'authority',
    'secretary',
    'designator',
    'keys',
    'monkey',
    'apiVersion',
    'developerKeyId',
    'developer_key_id',
    'share',
    'code',
    'icaoCode',
    'conditionCode',
    'hashtag',
    'fileHash',
    'macAddress',
    'sessionId',
    'runwayCondition',
    'landingDistance',
    'tokyo',
    '',
  ])('%s is not a secret', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
