/** Time taken by the NOTAM readers: for usual texts, and for the worst 100 kB text of each hostile kind. */
import { readEffects } from '#domain/notam/effects.ts';
import { readNamedRunways } from '#domain/notam/text.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { parseSchedule } from '#domain/notam/schedule.ts';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import { asSentence, hostileUnits, notamHead, ofLength } from '#test/support/hostile-texts.ts';

const usual = `${notamHead}RWY 09L/27R CLSD DUE TO WIP. RWY 09R TORA/TODA/ASDA/LDA 2500/2600/2550/2200M\n\n`;
const usualCount = 5_000;
const barMs = 1_000;

const effects = (qCode: string) => (text: string) =>
  readEffects({ text, qCode, location: 'XXAA', hasSchedule: false, isFeet: false });
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  file: parseNotamTexts,
  text: (text) => parseNotamTexts(notamHead + text),
  closures: effects('QMRLC'),
  distances: effects('QMDCH'),
  exits: effects('QMXLC'),
  'named runways': readNamedRunways,
  schedule: parseSchedule,
};

export const run = (): Promise<void> => {
  const file = usual.repeat(usualCount);
  const eachMs = cpuTimeMs(() => parseNotamTexts(file)) / usualCount;
  console.log(`  a usual text: ${(eachMs * 1_000).toFixed(0)} us`);
  let worst = { ms: 0, name: '' };
  for (const [reader, read] of Object.entries(readers))
    for (const [shape, unit] of Object.entries(hostileUnits))
      for (const [form, one] of [
        ['', unit],
        [' in sentences', asSentence(unit)],
      ] as const)
        // 10 kB is read, 100 kB is partly refused.
        for (const length of [10_000, 100_000]) {
          const ms = cpuTimeMs(() => read(ofLength(one, length)));
          if (ms > worst.ms) worst = { ms, name: `${reader}, ${length / 1_000} kB of ${shape}${form}` };
        }
  const verdict = worst.ms <= barMs ? 'ok' : 'TOO SLOW';
  console.log(`  worst up to 100 kB: ${worst.ms.toFixed(1)} ms (${worst.name}), bar ${barMs} ms: ${verdict}`);
  return Promise.resolve();
};
