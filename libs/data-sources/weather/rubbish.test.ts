import { describe, expect, test } from 'vitest';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import { parseMetars, parseTafs } from './report-file.ts';
import { SourceError } from '#domain/source-error.ts';
import { isDeep } from '#test/support/deep.ts';

const now = new Date('2026-09-16T12:25:00Z');
const wrapped = (kind: 'METAR' | 'TAF', records: string): string =>
  `<response version="2.0"><data_source name="${kind.toLowerCase()}"/><data>${records}</data></response>`;
const repeated = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

const shapes: [string, (length: number) => string][] = [
  ['unclosed records', (length) => wrapped('METAR', repeated('<METAR><raw_text>', length))],
  ['one record that never ends', (length) => wrapped('METAR', `<METAR>${repeated('<a>', length)}</METAR>`)],
  ['ends without records', (length) => wrapped('METAR', repeated('</METAR>', length))],
  ['lines', (length) => repeated('METAR \n', length)],
  ['one line', (length) => repeated('METAR EGLL 161150Z ', length)],
  ['blanks', (length) => repeated(' ', length)],
  ['a cycle file of one block', (length) => `2026/09/16 12:00\n${repeated('EGLL 161150Z ', length)}`],
  ['a cycle file of empty lines', (length) => `2026/09/16 12:00\n${repeated('\n \n', length)}`],
  ['a CSV file of rubbish', (length) => `raw_text,station_id,\n${repeated('",a\n', length)}`],
];

/** Reads the text; only time matters, not whether it is refused. */
const readBoth = (text: string): void => {
  for (const read of [parseMetars, parseTafs]) {
    try {
      read(text, now);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
    }
  }
};

describe('unreadable files', () => {
  test.each(shapes)('A file of %s ten times as large takes at most fifteen times as long', (_name, shape) => {
    const length = isDeep ? 400_000 : 100_000;
    const [small, large] = [shape(length), shape(10 * length)];
    readBoth(small);
    // In a few milliseconds, clock resolution and garbage collection dominate.
    const ratio = () => {
      const smallMs = Math.max(
        10,
        cpuTimeMs(() => readBoth(small)),
      );
      return cpuTimeMs(() => readBoth(large)) / smallMs;
    };
    // One reading within the limit proves linear time; on a busy machine others may take longer.
    const ratios = [ratio()];
    while (Math.min(...ratios) >= 15 && ratios.length < 8) ratios.push(ratio());
    expect(Math.min(...ratios)).toBeLessThan(15);
  });

  test('Too many unreadable records stop the reading', () => {
    const text = wrapped('METAR', '<METAR>'.repeat(30_000));
    expect(() => parseMetars(text, now)).toThrow(/more than 20000 unreadable records/);
  });
});
