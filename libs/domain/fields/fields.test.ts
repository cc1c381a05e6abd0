import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  emailField,
  icaoField,
  idField,
  lengthOf,
  maxId,
  optionalTextField,
  requiredTextField,
  textField,
  versionField,
} from './index.ts';

const codes = { missing: 'NONE', invalid: 'BAD' };

/** Result of a schema for a value: the value, or the distinct messages of its issues. */
const read = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value);
  return parsed.success ? { is: parsed.data } : parsed.error.issues.map(({ message }) => message);
};
const is = (value: unknown) => ({ is: value });
const published = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' });

describe('text fields', () => {
  test.each([
    ['  ab ', is('ab')],
    ['abc', is('abc')],
    ['😀😀😀', is('😀😀😀')],
    [' abc\t', is('abc')],
    ['abcd', ['BAD']],
    ['😀😀😀😀', ['BAD']],
    ['x'.repeat(4_000_000), ['BAD']],
    ['', ['NONE']],
    ['   ', ['NONE']],
    [null, ['NONE']],
    [undefined, ['NONE']],
    [7, ['BAD']],
    [['abc'], ['BAD']],
  ])('A required text has at most 3 characters: %j', (value, expected) => {
    expect(read(requiredTextField(3, codes), value)).toEqual(expected);
  });

  test.each([
    [undefined, is(undefined)],
    [null, is(null)],
    ['', is(null)],
    [' ', is(null)],
    [' ab ', is('ab')],
    ['abcd', ['BAD']],
    [0, ['BAD']],
  ])('An optional text has at most 3 characters: %j', (value, expected) => {
    expect(read(optionalTextField(3, { invalid: 'BAD' }), value)).toEqual(expected);
  });

  test('A raw text is not trimmed and may be empty', () => {
    expect(read(textField(3, codes), ' a ')).toEqual(is(' a '));
    expect(read(textField(3, codes), '')).toEqual(is(''));
    expect(read(textField(3, codes), ' ab ')).toEqual(['BAD']);
    expect(read(textField(3, codes), undefined)).toEqual(['NONE']);
  });

  test.each(['Líneas', '한국', 'ガイド', 'Чайка'])(
    '%s is converted to NFC, and its letters are counted',
    (name) => {
      const sent = name.normalize('NFD');
      expect(lengthOf(sent)).toBeGreaterThan(lengthOf(name));
      for (const field of [requiredTextField, optionalTextField])
        expect(read(field(lengthOf(name)), ` ${sent}`)).toEqual(is(name));
      expect(read(textField(20), sent)).toEqual(is(sent));
    },
  );

  test('An issue with a text beyond the bound names the bound', () => {
    const { error } = requiredTextField(3, codes).safeParse('abcd');
    expect(error?.issues).toMatchObject([{ code: 'too_big', maximum: 3, origin: 'string' }]);
  });

  test('The bound is in the JSON Schema, even of an optional or piped field', () => {
    expect(published(requiredTextField(3))).toMatchObject({ type: 'string', minLength: 1, maxLength: 3 });
    expect(published(optionalTextField(3))).toMatchObject({ anyOf: [{ maxLength: 3 }, { type: 'null' }] });
    expect(published(textField(3).nullable().default(null))).toMatchObject({ anyOf: [{ maxLength: 3 }, {}] });
    expect(published(emailField())).toMatchObject({ maxLength: 254 });
    expect(published(icaoField())).toMatchObject({ maxLength: 4 });
  });
});

describe('ICAO location indicator', () => {
  test.each([
    ['kjfk', is('KJFK')],
    [' EDDF ', is('EDDF')],
    ['K1A2', is('K1A2')],
    ['KJF', ['BAD']],
    ['KJFKX', ['BAD']],
    ['1JFK', ['BAD']],
    ['KJ-K', ['BAD']],
    ['ÄÖÜß', ['BAD']],
    ['', ['NONE']],
    [undefined, ['NONE']],
    [null, ['NONE']],
    [7, ['BAD']],
  ])('%j', (value, expected) => {
    expect(read(icaoField(codes), value)).toEqual(expected);
  });
});

describe('email fields', () => {
  const local = 'a'.repeat(64);
  const of = (length: number) =>
    `${local}@${'b'.repeat(60)}.${'b'.repeat(60)}.${'b'.repeat(length - 195)}.example`;
  test.each([
    [' Anna@Mail.Example ', is('Anna@Mail.Example')],
    ['anna', ['INVALID_EMAIL']],
    ['anna@mail', ['INVALID_EMAIL']],
    ['ann\u0130@mail.example', ['INVALID_EMAIL']],
    ['a b@mail.example', ['INVALID_EMAIL']],
    ['', ['NONE']],
    [7, ['BAD']],
    ['x'.repeat(255), ['INVALID_EMAIL']],
  ])('%j', (value, expected) => {
    expect(read(emailField(codes), value)).toEqual(expected);
  });

  test.each([
    ['a@почта.рф', 'a@xn--80a1acny.xn--p1ai'],
    ['a@例子.中国', 'a@xn--fsqu00a.xn--fiqs8s'],
    ['a@例子。中国', 'a@xn--fsqu00a.xn--fiqs8s'],
    ['a@mail.한국', 'a@mail.xn--3e0b707e'],
    [`a@${'mail.한국'.normalize('NFD')}`, 'a@mail.xn--3e0b707e'],
    ['a@مثال.مصر', 'a@xn--mgbh0fb.xn--wgbh1c'],
    ['a@müller.example', 'a@xn--mller-kva.example'],
  ])('The domain of %s may be written in its script or in ASCII', (value, expected) => {
    expect(read(emailField(codes), value)).toEqual(is(expected));
    expect(read(emailField(codes), expected)).toEqual(is(expected));
  });

  test.each(["!#$%&'*+/=?^_`{|}~-", "o'connor.anna+efb", '{a}|b', '1'])(
    '%s is a valid local part',
    (text) => {
      expect(read(emailField(codes), `${text}@mail.example`)).toEqual(is(`${text}@mail.example`));
    },
  );

  test.each([
    'a@mail-.example',
    'a@-mail.example',
    'a@mail.example-',
    'a@mail-.почта.рф',
    'a@ma_il.example',
    'a@mail..example',
    'a@mail.example.',
    'a@192.0.2.1',
    `a@${'b'.repeat(64)}.example`,
    '.a@mail.example',
    'a.@mail.example',
    'a..b@mail.example',
    'a,b@mail.example',
    '"a"@mail.example',
    'a@b@mail.example',
    'ä@mail.example',
    'a@mail\u200b.example',
    'a\u200d@mail.example',
    'a@mail.exam\u00adple',
  ])('%j is not an email address', (value) => {
    expect(read(emailField(codes), value)).toEqual(['INVALID_EMAIL']);
  });

  test('An address has at most 254 characters', () => {
    expect(of(254)).toHaveLength(254);
    expect(read(emailField(codes), of(254))).toEqual(is(of(254)));
    expect(read(emailField({ ...codes, malformed: 'FORM' }), of(255))).toEqual(['FORM']);
    expect(read(emailField({ ...codes, malformed: 'FORM' }), 'anna')).toEqual(['FORM']);
  });
});

describe('id fields', () => {
  test.each([
    [1, is(1)],
    ['1', is(1)],
    [maxId, is(maxId)],
    [String(maxId), is(maxId)],
    [maxId + 1, ['BAD']],
    [String(maxId + 1), ['BAD']],
    [0, ['BAD']],
    ['0', ['BAD']],
    ['01', ['BAD']],
    [-1, ['BAD']],
    [1.5, ['BAD']],
    ['1.5', ['BAD']],
    ['1e3', ['BAD']],
    ['9'.repeat(40), ['BAD']],
    ['', ['NONE']],
    [null, ['NONE']],
    [undefined, ['NONE']],
    [true, ['BAD']],
    [{}, ['BAD']],
  ])('%j', (value, expected) => {
    expect(read(idField(codes), value)).toEqual(expected);
  });

  test('A wider column takes a higher bound', () => {
    const wide = idField({ ...codes, max: Number.MAX_SAFE_INTEGER });
    expect(read(wide, String(Number.MAX_SAFE_INTEGER))).toEqual(is(Number.MAX_SAFE_INTEGER));
    expect(read(wide, '90071992547409920')).toEqual(['BAD']);
  });
});

describe('expectedVersion fields', () => {
  test.each([
    [undefined, is(undefined)],
    [null, is(0)],
    [0, is(0)],
    [5, is(5)],
    [maxId, is(maxId)],
    [maxId + 1, ['BAD']],
    [-1, ['BAD']],
    [1.5, ['BAD']],
    ['5', ['BAD']],
  ])('The version %j is read or refused (A-02)', (value, expected) => {
    expect(read(versionField({ invalid: 'BAD' }), value)).toEqual(expected);
  });
});
