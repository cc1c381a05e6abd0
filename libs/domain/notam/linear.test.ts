/** Every reader takes at most linear time in the length of any text. */
import { describe, expect, test } from 'vitest';
import { isDeep } from '#test/support/deep.ts';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import { asSentence, hostileUnits, notamHead, ofLength } from '#test/support/hostile-texts.ts';
import { readEffects } from './effects.ts';
import { parseNotam, parseNotamTexts } from './parse.ts';
import { parseQLine } from './q-line.ts';
import { parseSchedule } from './schedule.ts';
import { splitNotamTexts } from './split.ts';
import { normaliseText, readNamedRunways, statementsOf } from './text.ts';
import { parseNotamTime } from './time.ts';

const effects = (qCode: string, start: string) => (text: string) =>
  readEffects({ text: start + text, qCode, location: 'XXAA', hasSchedule: false, isFeet: false });

const readers: Record<string, (text: string) => unknown> = {
  'a file': parseNotamTexts,
  'an ICAO text': (text) => parseNotam(notamHead + text),
  'item Q': (text) => parseNotam(`A0001/26 NOTAMN\nQ) ${text}\nA) XXAA B) 2602010000 C) PERM\nE) X`),
  'an FAA text': (text) => parseNotam(`!XYZ 08/123 XYZ RWY 04L/22R CLSD ${text} 2508210234-2510012359`),
  closures: effects('QMRLC', ''),
  tails: effects('QMRLC', 'RWY 09/27 CLSD '),
  distances: effects('QMDCH', 'RWY 09 LDA '),
  exits: effects('QMXLC', 'TWY A '),
  'another subject': effects('QOBCE', 'RWY '),
  'named runways': readNamedRunways,
  statements: (text) => statementsOf(normaliseText(text)),
  schedules: parseSchedule,
  times: parseNotamTime,
  'the fields of item Q': parseQLine,
  'the splitter': (text) => splitNotamTexts(`A0001/26 NOTAMN\n${text}`),
};

const leastMs = (work: () => unknown, runs: number): number =>
  Math.min(...Array.from({ length: runs }, () => cpuTimeMs(work)));

/** Below this, the measured time is dominated by pattern compilation and garbage of earlier tests. */
const floorMs = 4;

describe('adversarial texts', () => {
  test.each(Object.entries(readers))(
    'A text of 100 kB with %s takes at most 15 times as long as one of 10 kB with the same structure',
    (name, read) => {
      const at = Object.keys(readers).indexOf(name);
      const units = Object.entries(hostileUnits).filter((_, i) => isDeep || (i + at) % 3 === 0);
      for (const [shape, unit] of units)
        for (const one of [unit, asSentence(unit)]) {
          const short = ofLength(one, 10_000);
          const long = ofLength(one, 100_000);
          const shortMs = Math.max(
            leastMs(() => read(short), 3),
            floorMs,
          );
          const longMs = leastMs(() => read(long), 2);
          expect([shape, longMs <= 15 * shortMs, longMs > 15 * shortMs ? [shortMs, longMs] : []]).toEqual([
            shape,
            true,
            [],
          ]);
        }
    },
  );
});
