import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logRow } from '#test/support/request-log.ts';
import { packBodies, unpackBodies } from './log.ts';

const at = new Date('2026-09-16T12:00:00Z');

/** Any text that the database can store, with line breaks and characters of several bytes. */
const textArbitrary = fc.option(fc.string({ unit: 'grapheme', maxLength: 200 }));

describe('bodies stored in a batch', () => {
  test('Every row gets its own texts back, whatever they contain', async () => {
    const bodyArbitrary = fc.record({
      headers: textArbitrary,
      request: textArbitrary,
      response: textArbitrary,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(bodyArbitrary, { minLength: 1, maxLength: 20 }), async (bodies) => {
        const rows = bodies.map((body, i) => logRow(i, at, body));
        const unpacked = await unpackBodies(await packBodies(rows));
        expect(unpacked).toEqual(bodies);
      }),
    );
  });

  test('Similar bodies together take less than a tenth of their size', async () => {
    const response = (i: number) =>
      JSON.stringify(Array.from({ length: 60 }, (_, k) => ({ runway: `${k}L`, lengthM: 2_000 + k * i })));
    const rows = Array.from({ length: 200 }, (_, i) => logRow(i, at, { response: response(i % 7) }));
    const length = rows.reduce((sum, row) => sum + (row.response?.length ?? 0), 0);
    expect((await packBodies(rows)).length).toBeLessThan(length / 10);
  });
});
