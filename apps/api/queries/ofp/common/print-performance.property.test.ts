import { describe, expect, test } from 'vitest';
import type { PerformanceDefaults } from '#domain/ofp/performance-defaults.ts';
import type { BriefingDocument } from '#domain/prints/content.ts';
import type { TakeoffAnswer } from '#domain/performance/takeoff-result.ts';
import { unitConfig } from '#domain/users/units.ts';
import { carriedWeights, drawRandom, randomly, randomTakeoff } from '#perf/fixtures/random-takeoffs.ts';
import { pdfTexts } from '#test/support/pdf-text.ts';
import { briefingPdf } from '#workers/pdf/briefing.ts';
import { takeoffPart } from './print-performance.ts';

/** A sample; more with `npm run test:deep`. They are split into tests that stay within the time limit. */
const cases = Number(process.env['TAKEOFF_CASES'] ?? (process.env['DEEP'] ? 10_000 : 20));
const partSize = 500;
/** Only a sample of the cases is printed, since a page takes longer than its takeoff. */
const printedEach = 20;
const parts = Array.from({ length: Math.ceil(cases / partSize) }, (_, i) => ({
  seed: 1_053 + i,
  size: Math.min(partSize, cases - i * partSize),
}));

const assumed = { source: 'assumed' as const, text: null, reportedAt: null, ageMinutes: null };
const defaults = {
  airport: 'EDDF',
  runway: '25R',
  weather: { windDirection: 0, windSpeed: 0, gust: null, temperature: 15, qnh: 1013 },
  runwayCondition: { state: 'DRY', depth: 0 },
  sources: { wind: assumed, temperature: assumed, qnh: assumed, runwayCondition: assumed },
} as unknown as PerformanceDefaults['takeoff'];

const pageOf = (part: BriefingDocument['performance'][number]): Promise<Buffer> =>
  briefingPdf(
    {
      title: 'Agreement',
      facts: [],
      airports: [],
      performance: [part],
      notams: { items: [], left: 0 },
      hazards: { items: [], left: 0 },
      pireps: { items: [], left: 0 },
      legs: null,
      notes: [],
      madeAt: '2026-09-16T12:00:00Z',
    },
    null,
  );

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
const numbersIn = (text: string): number[] =>
  [...text.replaceAll(/(?<=\d)\s(?=\d{3}\b)/g, '').matchAll(/-?\d+/g)].map(Number);

/**
 * Contradictions in the printed text of a possible takeoff, whose speeds and margins must belong to the same
 * thrust.
 */
const faultsOf = (
  { heading, facts }: BriefingDocument['performance'][number],
  { performance }: TakeoffAnswer,
): string[] => {
  const valueOf = (name: string): string => facts.find((fact) => fact.name === name)?.value ?? '';
  const [v1 = -1, vR = -1, v2 = -1] = numbersIn(valueOf('V1 / VR / V2').replaceAll('/', ' / '));
  const [weight = Infinity, most = 0] = numbersIn(valueOf('Weight'));
  const margins = ['Stop', 'Engine out', 'All engines'].map((name) => numbersIn(valueOf(name))[1] ?? -1);
  const said = [v1, vR, v2, ...margins].join();
  const columns = [performance?.full, performance?.reduced].map((column) =>
    [column?.v1, column?.vR, column?.v2, column?.asdMargin, column?.eogdMargin, column?.agdMargin].join(),
  );
  return [
    ...(v1 > 0 && v1 <= vR && vR <= v2 ? [] : [`${heading}, speeds ${v1} ${vR} ${v2}`]),
    ...(weight <= most ? [] : [`${heading}, ${weight} above ${most}`]),
    ...(Math.min(...margins) >= 0 ? [] : [`${heading}, margins ${margins.join()}`]),
    ...(columns.includes(said) ? [] : [`${heading}, ${said} of ${columns.join(' and ')}`]),
  ];
};

describe('takeoffs in a briefing, random cases for every aircraft', () => {
  test.each(parts)(
    'A briefing and its PDF never contradict a takeoff at or below its limit, seed $seed (G-07)',
    async ({ seed, size }) => {
      const next = randomly(seed);
      const faults: string[] = [];
      let seen = 0;
      for (let i = 0; i < size; i += 1) {
        const random = randomTakeoff(next);
        const [units] = unitConfig.filter(({ weight }) => weight === (random.units['weight'] ?? 'kg'));
        const weights = carriedWeights(random, next);
        const named = (fault: string): string => `${random.id}: ${fault} ${JSON.stringify(random)}`;
        for (const [nth, weight] of weights.entries()) {
          const { answer } = drawRandom(random, weight);
          const part = takeoffPart({ answer: answer as never, error: null }, defaults, units as never);
          faults.push(...faultsOf(part, answer).map(named));
          if (nth > 0 || i % printedEach > 0) continue;
          const texts = oneLine(
            pdfTexts(await pageOf(part))
              .flat()
              .join(' '),
          );
          const missing = part.facts.filter(({ value }) => !texts.includes(oneLine(value)));
          faults.push(...missing.map(({ name, value }) => named(`not printed: ${name} ${value}`)));
        }
        seen += Math.min(1, weights.length);
      }
      expect(faults.slice(0, 5)).toEqual([]);
      expect(seen).toBeGreaterThan(size / 2);
    },
  );
});
