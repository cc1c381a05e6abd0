import { describe, expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { airacCycleAt, airacCycleById, cyclePeriod } from './airac.ts';
import {
  navdataAnswer,
  navdataErrors,
  navdataSearchInputSchema,
  navdataSearchOutputSchema,
} from './search.ts';

describe('AIRAC', () => {
  test.each([
    ['2601', '2026-01-22'],
    ['2608', '2026-08-06'],
    ['2609', '2026-09-03'],
    ['2613', '2026-12-24'],
    ['2014', '2020-12-31'],
    ['1901', '2019-01-03'],
  ])('%s begins on %s', (id, day) => {
    expect(airacCycleById(id)?.startsAt.toISOString()).toBe(`${day}T00:00:00.000Z`);
    expect(airacCycleAt(new Date(`${day}T00:00:00Z`)).id).toBe(id);
  });

  test('The cycle switches at midnight UTC', () => {
    expect(airacCycleAt(new Date('2026-09-02T23:59:59.999Z')).id).toBe('2608');
    expect(airacCycleAt(new Date('2026-09-03T00:00:00Z')).id).toBe('2609');
    expect(cyclePeriod(airacCycleAt(new Date('2026-08-20T12:00:00Z')))).toBe('2026-08-06/2026-09-03');
  });

  test('Cycle names that do not exist are refused', () => {
    expect(['2600', '2614', 'abcd', '260', '26080'].map(airacCycleById)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('search input', () => {
  const parse = (input: unknown) => navdataSearchInputSchema.safeParse(input);
  const codeOf = (input: unknown) => parse(input).error?.issues[0]?.message;

  test('The ident is converted to upper case, the limit clamped, and the match by prefix unless exact (M-4.7.q7b, M-4.7.q7d)', () => {
    expect(parse({ ident: 'lax' }).data).toEqual({ ident: 'LAX', exact: false, limit: 50 });
    expect(parse({ ident: 'LAX', exact: true, limit: 999 }).data).toMatchObject({ exact: true, limit: 200 });
    expect(
      [0, -5, 1, 200, 201, 7.9, '20', 'x', null, undefined, Number.NaN, Infinity].map(
        (limit) => parse({ ident: 'LAX', limit }).data?.limit,
      ),
    ).toEqual([1, 1, 1, 200, 200, 7, 20, 50, 50, 50, 50, 200]);
  });

  test('Missing, empty and too long idents have their own code and text', () => {
    expect([{}, { ident: '' }, { ident: '   ' }, { ident: 5 }, { ident: null }].map(codeOf)).toEqual(
      Array(5).fill('MISSING_IDENT'),
    );
    expect(codeOf({ ident: 'ABCDEF' })).toBe('IDENT_TOO_LONG');
    expect(navdataErrors.IDENT_TOO_LONG.message).toBe('Invalid ident: maximum length is 5 characters.');
    expect(navdataErrors.MISSING_IDENT.message).toBe('Missing required field: ident.');
  });
});

test('A point with a frequency is a navaid, one without a frequency a waypoint (M-2.12.n10)', () => {
  const point = {
    id: 1,
    name: 'X',
    latitudeDeg: 1,
    longitudeDeg: 2,
    airway: null,
    cycle: null,
    cyclePeriod: null,
  };
  const answer = navdataAnswer('LAX', [
    { ...point, ident: 'LAX', frequencyMhz: 113.6 },
    { ...point, id: 2, ident: 'LAXXX', frequencyMhz: null },
  ]);
  expect(navdataSearchOutputSchema.parse(answer)).toEqual(answer);
  expect(answer.count).toBe(2);
  expect(answer.navdata.map((item) => item.type)).toEqual(['NAVAID', 'WAYPOINT']);
});

test('The cycles of 26 years match the table', () => {
  const data = sharedData('airports/reference');
  const rows = data.lines('airac-cycles-2019-2044.csv').slice(1);
  expect(rows).toHaveLength(data.either(340, 10));
  for (const row of rows) {
    const [id = '', start = '', end = '', last = ''] = row.split(',');
    const cycle = airacCycleById(id);
    expect(cycle && cyclePeriod(cycle)).toBe(`${start}/${end}`);
    expect(airacCycleAt(new Date(`${last}T23:59:59Z`)).id).toBe(id);
  }
});
