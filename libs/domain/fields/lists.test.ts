import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { aircraftKeyFields, limitField, listField, pageFields, requiredTextField } from './index.ts';

const codes = { missing: 'NONE', invalid: 'BAD' };

/** Result of a schema for a value: the value, or the distinct messages of its issues. */
const read = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value);
  return parsed.success ? { is: parsed.data } : parsed.error.issues.map(({ message }) => message);
};
const is = (value: unknown) => ({ is: value });
const published = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' });

describe('list fields', () => {
  const list = listField(z.int('ENTRY'), { min: 1, max: 3 }, { ...codes, tooMany: 'MANY' });
  test.each([
    [[1, 2, 3], is([1, 2, 3])],
    [[1, 2, 3, 4], ['MANY']],
    [[1, 'x'], ['ENTRY']],
    [[], ['BAD']],
    [undefined, ['NONE']],
    [null, ['NONE']],
    [{}, ['BAD']],
  ])('A list of 1 to 3 whole numbers is read or refused: %j', (value, expected) => {
    expect(read(list, value)).toEqual(expected);
  });

  test('A list that is too long is refused without validating its entries', () => {
    expect(
      read(
        list,
        Array.from({ length: 200_000 }, () => 'x'),
      ),
    ).toEqual(['MANY']);
    expect(read(listField(z.int(), { max: 1 }, codes), [1, 2])).toEqual(['BAD']);
  });

  test('The JSON Schema shows bounds and entries', () => {
    expect(published(list)).toMatchObject({
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { type: 'integer' },
    });
    expect(published(listField(requiredTextField(9), { max: 3 }))).toMatchObject({ items: { maxLength: 9 } });
  });
});

describe('page fields', () => {
  const limit = limitField({ preset: 50, max: 200 });
  test.each([
    [undefined, 50],
    [null, 50],
    ['', 50],
    ['abc', 50],
    [{}, 50],
    [Number.NaN, 50],
    [0, 1],
    [-5, 1],
    [1, 1],
    [2.9, 2],
    [200, 200],
    [201, 200],
    ['20', 20],
    ['1e999', 200],
  ])('The limit %j becomes %i (A-30)', (value, expected) => {
    expect(read(limit, value)).toEqual(is(expected));
  });

  test('The offset is clamped as well', () => {
    const pageSchema = z.object(pageFields({ preset: 20, max: 100 }));
    expect(read(pageSchema, {})).toEqual(is({ limit: 20, offset: 0 }));
    expect(read(pageSchema, { limit: 101, offset: -1 })).toEqual(is({ limit: 100, offset: 0 }));
    expect(read(pageSchema, { offset: 1e9 })).toEqual(is({ limit: 20, offset: 1_000_000 }));
    expect(published(pageSchema)).toMatchObject({
      properties: {
        limit: { type: 'integer', maximum: 100, description: 'entries per answer; default 20' },
        offset: { minimum: 0 },
      },
    });
  });
});

describe('aircraft key fields', () => {
  const keySchema = z.object(aircraftKeyFields(codes));
  const good = { file: 'A320-214', userRegistration: null, virtualAirline: null };
  test.each([
    [good, is(good)],
    [{ ...good, userRegistration: 'x'.repeat(30) }, is({ ...good, userRegistration: 'x'.repeat(30) })],
    [{ ...good, userRegistration: 'x'.repeat(31) }, ['BAD']],
    [{ ...good, virtualAirline: 'x'.repeat(101) }, ['BAD']],
    [{ ...good, file: 'x'.repeat(101) }, ['BAD']],
    [{ ...good, file: '' }, ['NONE']],
    [{ ...good, virtualAirline: 7 }, ['BAD']],
    [{}, ['NONE']],
    [{ file: 'A320-214' }, is(good)],
  ])('%j', (value, expected) => {
    expect(read(keySchema, value)).toEqual(expected);
  });
});
