import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logRow } from '#test/support/request-log.ts';
import type { RequestLogRow } from '#data/postgres/requests/log.ts';
import { createCommonTexts } from './common.ts';

const now = new Date('2026-09-16T12:00:00Z');
const list = JSON.stringify(Array.from({ length: 2_000 }, (_, i) => ({ icao: `K${i}`, lengthM: 1_000 + i })));
const answer = (subscription: number, end = '') => `{"id":${subscription},"airports":${list}${end}}`;
const rowOf = (response: string, query = 'aircraft') => logRow(1, now, { query, response });

/** The response as it is read from the log. */
const readBack = ({ response, sharedResponse: shared }: RequestLogRow): string | null =>
  shared
    ? shared.of.text.slice(0, shared.head) +
      (response ?? '') +
      shared.of.text.slice(shared.of.text.length - shared.tail)
    : response;

describe('large responses', () => {
  test('The first is logged whole, an equal one only as a reference', () => {
    const inCommon = createCommonTexts();
    expect(inCommon(rowOf(answer(1)))).toEqual(rowOf(answer(1)));
    const second = inCommon(rowOf(answer(1)));
    expect(second.response).toBe('');
    expect(second.sharedResponse?.of.text).toBe(answer(1));
    expect(inCommon(rowOf(answer(1))).sharedResponse?.of).toBe(second.sharedResponse?.of);
  });

  test('Of one that differs in one place, that place and a reference are logged', () => {
    const inCommon = createCommonTexts();
    inCommon(rowOf(answer(1)));
    for (const other of [answer(22), answer(1, ' '), answer(345), answer(1, ',"more":"text"')]) {
      const row = inCommon(rowOf(other));
      expect(row.response?.length).toBeLessThan(list.length / 10);
      expect(row.sharedResponse?.of.text).toBe(answer(1));
      expect(readBack(row)).toBe(other);
    }
  });

  test('One that is different, short, or of another operation is logged whole', () => {
    const inCommon = createCommonTexts();
    inCommon(rowOf(answer(1)));
    inCommon(rowOf('{"ok":true}'));
    const others = [
      rowOf('{"ok":true}'),
      rowOf(`[${'9'.repeat(50_000)}]`),
      rowOf(answer(1), 'airport'),
      logRow(1, now, { response: null }),
    ];
    for (const row of others) expect(inCommon(row)).toBe(row);
  });

  test('Surrogate pairs are not parted, and every response can be read back', () => {
    const partArbitrary = fc.array(fc.constantFrom('a', 'ä', '😀', '😁', '🄀', '\u{10400}'), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(partArbitrary, { minLength: 2, maxLength: 8 }), (parts) => {
        const inCommon = createCommonTexts();
        for (const part of parts) {
          const text = '😀b'.repeat(3_000) + part.join('') + 'c😁'.repeat(3_000);
          const row = inCommon(rowOf(text));
          expect(readBack(row)).toBe(text);
          expect(row.response?.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  test('Only the latest are remembered', () => {
    const inCommon = createCommonTexts();
    const distinct = (i: number) => String.fromCharCode(97 + i).repeat(20_000);
    inCommon(rowOf(distinct(0)));
    for (let i = 1; i <= 24; i += 1) inCommon(rowOf(distinct(i)));
    expect(inCommon(rowOf(distinct(24))).response).toBe('');
    expect(inCommon(rowOf(distinct(0))).response).toBe(distinct(0));
  });
});
