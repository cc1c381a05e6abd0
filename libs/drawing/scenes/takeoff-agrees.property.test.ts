import { describe, expect, test } from 'vitest';
import type { TakeoffColumnAnswer } from '#domain/performance/takeoff-result.ts';
import { profile, profiles } from '#perf/fixtures/aircraft.ts';
import type { Data } from '#perf/fixtures/landings.ts';
import { drawTakeoff } from '#perf/fixtures/takeoffs.ts';

/** A sample; 100,000 with `npm run test:deep`. */
const cases = Number(process.env['TAKEOFF_CASES'] ?? (process.env['DEEP'] ? 100_000 : 120));

const randomly = (start: number): (() => number) => {
  let seed = start;
  return () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
};

/** Greatest depths (mm) that every type takes off from. */
const depths: Readonly<Record<string, number>> = {
  SLUSH: 12,
  STANDING_WATER: 12,
  WET_SNOW: 25,
  DRY_SNOW: 80,
};
const states = ['DRY', 'DRY', 'WET', 'WET', 'COMPACTED_SNOW', 'ICE', ...Object.keys(depths)];

interface Drawn {
  id: string;
  data: Data;
  units: Data;
  runway: Data;
}

const random = (next: () => number): Drawn => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const id = pick([...profiles.keys()]);
  const { takeoff, model, calculationLimit, mel, cdl, options } = profile(id);
  const units: Data = next() < 0.5 ? {} : { weight: 'lb', distance: 'feet', pressure: 'inhg' };
  const toraM = 1300 + 2900 * next();
  const state = pick(states);
  const [coldC, hotC] = [calculationLimit.minTemperatureC, calculationLimit.maxTemperatureC];
  const items = (list: readonly { value: string }[]): string[] => (next() < 0.2 ? [pick(list).value] : []);
  return {
    id,
    units,
    runway: {
      toraM,
      todaM: toraM + (next() < 0.3 ? 150 : 0),
      asdaM: toraM + (next() < 0.3 ? 60 : 0),
      elevationM: 0.3 * model.maxCertifiedTakeoffAndLandingAltitude * next() ** 2,
      slopePercent: 3 * next() - 1.5,
      trueBearingDeg: 0,
    },
    data: {
      runwayCondition: {
        state,
        depth: depths[state] === undefined ? 0 : 0.5 + (depths[state] - 0.5) * next(),
      },
      weather: {
        temperature: Math.round(coldC + (hotC - coldC) * next()),
        ...(units['pressure'] === undefined ? { qnh: 1013 } : { qnh: 29.92 }),
        windDirection: next() < 0.3 ? 180 : 0,
        windSpeed: Math.round(10 * next()),
      },
      configuration: {
        flap: pick([...takeoff.flaps, 'OPTIMUM']),
        rating: pick(takeoff.ratings).value,
        acBleed: pick(options.acBleed).value,
        antiIce: pick(options.antiIce).value,
        assumedTemperature: next() < 0.3 ? 'NONE' : 'AUTO',
      },
      inopItems: { mel: items(mel), cdl: items(cdl) },
      obstacles: next() < 0.2 ? [{ distance: 2000 + 4000 * next(), height: 30 + 40 * next() }] : [],
      lineupAngle: pick([0, 90, 180]),
    },
  };
};

const draw = ({ id, data, units, runway }: Drawn, takeoffWeight: number | null) =>
  drawTakeoff(profile(id), units, { name: id, data: { ...data, weight: { takeoffWeight } }, runway });

/** What a column of a weight that fits contradicts itself in. */
const contradictions = (column: TakeoffColumnAnswer): string[] => {
  const { v1, v1Min, v1Max, vR, v2, asdMargin, eogdMargin, agdMargin } = column;
  const least = Math.min(...[asdMargin, eogdMargin, agdMargin].map((margin) => margin ?? -Infinity));
  if (v1 === null || v1Min === null || v1Max === null || vR === null || v2 === null) return ['no speeds'];
  return [
    ...(least < 0 ? [`margin ${least}`] : []),
    ...(v1Min <= v1 && v1 <= v1Max ? [] : [`V1 ${v1} outside ${v1Min} to ${v1Max}`]),
    ...(v1 <= vR && vR <= v2 ? [] : [`speeds ${v1} ${vR} ${v2}`]),
  ];
};

describe('takeoff answers and drawings, random cases over every aircraft', () => {
  test('At and below its limit weight an answer never contradicts itself, and V1 hardly moves with the last 0.1 % of it (G-07)', () => {
    const next = randomly(53);
    const faults: string[] = [];
    let seen = 0;
    for (let i = 0; i < cases; i += 1) {
      const drawn = random(next);
      const { oew, mstow } = profile(drawn.id).weight;
      const kgPerUnit = drawn.units['weight'] === 'lb' ? 0.45359237 : 1;
      const least = Math.ceil(oew / kgPerUnit);
      const limit = draw(drawn, null).answer.performance?.maxTakeoffWeight ?? 0;
      const most = Math.min(limit, Math.floor(mstow / kgPerUnit));
      if (most < least) continue;
      const speeds: [flap: string, v1Kt: number][] = [];
      for (const weight of [most, 0.999 * most, least + (most - least) * next()]) {
        if (weight < least) continue;
        const { answer, scene, result } = draw(drawn, weight);
        const { performance } = answer;
        const columns = [performance?.full, performance?.reduced].filter((column) => column !== null);
        const found = columns.flatMap((column) => (column ? contradictions(column) : ['no column']));
        if (performance?.verdict === 'TOO_HEAVY' || performance?.verdict === 'NO_TAKEOFF')
          found.push('refused');
        if ((performance?.takeoffWeight ?? 0) > (performance?.maxTakeoffWeight ?? 0))
          found.push('weight shown');
        for (const row of scene.columns.flatMap(({ rows }) => rows))
          if (row.verdict !== 'FITS' || row.marginM < 0) found.push(`drawn ${row.label} ${row.marginM}`);
        speeds.push([result.flap, result.full?.speeds.v1Kt ?? 0]);
        if (found.length > 0)
          faults.push(`${drawn.id} ${weight}: ${found.join(', ')} ${JSON.stringify(drawn)}`);
      }
      const [atLimit, below] = speeds;
      // Another flap has other speeds.
      if (atLimit && below && atLimit[0] === below[0] && Math.abs(atLimit[1] - below[1]) > 1.5)
        faults.push(`${drawn.id} V1 ${below[1]} -> ${atLimit[1]} ${JSON.stringify(drawn)}`);
      seen += 1;
    }
    expect(faults.slice(0, 5)).toEqual([]);
    expect(seen).toBeGreaterThan(cases / 2);
  });
});
