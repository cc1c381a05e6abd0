import { describe, expect, test } from 'vitest';
import type { TakeoffRow } from '#domain/performance/airport-table.ts';
import type { TakeoffPerformanceAnswer } from '#domain/performance/takeoff-result.ts';
import type { TakeoffScene } from '../svg/takeoff-scene.ts';
import {
  carriedWeights,
  contradictionsOf,
  drawRandom,
  randomly,
  randomTakeoff,
} from '#perf/fixtures/random-takeoffs.ts';
import { takeoffRow } from '#perf/wire/airport-table.ts';
import { isDeep } from '#test/support/deep.ts';

/** A sample; 100,000 with `npm run test:deep`, split into one test per 500 cases, so that none exceeds the time limit. */
const cases = Number(process.env['TAKEOFF_CASES'] ?? (isDeep ? 100_000 : 15));
const partSize = 500;
const parts = Array.from({ length: Math.ceil(cases / partSize) }, (_, i) => ({
  seed: 53 + i,
  size: Math.min(partSize, cases - i * partSize),
}));

const drawnFaults = ({ columns }: TakeoffScene): string[] =>
  columns
    .flatMap(({ rows }) => rows)
    .filter(({ verdict, marginM }) => verdict !== 'FITS' || marginM < 0)
    .map(({ label, marginM }) => `drawn ${label} ${marginM}`);

/** The row of `performanceAirport` against the column whose speeds it has. */
const rowFaults = (row: TakeoffRow, { thrust, full, reduced }: TakeoffPerformanceAnswer): string[] => {
  const flown = thrust === 'REDUCED' ? reduced : full;
  const margins = [flown?.asdMargin, flown?.eogdMargin, flown?.agdMargin].map((margin) => margin ?? -1);
  const { margin, v1, vR, v2, verdict } = row;
  return [
    ...(margin === Math.min(...margins) ? [] : [`row margin ${margin} of ${margins.join()}`]),
    ...((margin ?? -1) < 0 ? [`row ${verdict} ${margin}`] : []),
    ...(v1 === flown?.v1 && v1 !== null && vR !== null && v2 !== null && v1 <= vR && vR <= v2
      ? []
      : [`row speeds ${v1} ${vR} ${v2}`]),
  ];
};

describe('takeoff answers, drawings and table rows, random cases for every aircraft', () => {
  test.each(parts)(
    'At and below its limit weight an answer never contradicts itself, and V1 hardly moves with the last 0.1 % of it, seed $seed (G-07)',
    ({ seed, size }) => {
      const next = randomly(seed);
      const faults: string[] = [];
      let seen = 0;
      for (let i = 0; i < size; i += 1) {
        const random = randomTakeoff(next);
        const speeds: [setting: string, v1Kt: number][] = [];
        const weights = carriedWeights(random, next);
        for (const weight of weights) {
          const { answer, scene, result } = drawRandom(random, weight);
          const { performance } = answer;
          const found = [
            ...contradictionsOf(performance),
            ...drawnFaults(scene),
            ...(performance ? rowFaults(takeoffRow('', answer), performance) : []),
          ];
          speeds.push([`${result.flap} ${result.improvedKt}`, result.full?.speeds.v1Kt ?? 0]);
          if (found.length > 0)
            faults.push(`${random.id} ${weight}: ${found.join(', ')} ${JSON.stringify(random)}`);
        }
        const [atLimit, below] = speeds;
        // Another flap has other speeds, and another step of improved climb.
        if (atLimit && below && atLimit[0] === below[0] && Math.abs(atLimit[1] - below[1]) > 1.5)
          faults.push(`${random.id} V1 ${below[1]} -> ${atLimit[1]} ${JSON.stringify(random)}`);
        seen += Math.min(1, weights.length);
      }
      expect(faults.slice(0, 5)).toEqual([]);
      expect(seen).toBeGreaterThan(size / 2);
    },
  );
});
