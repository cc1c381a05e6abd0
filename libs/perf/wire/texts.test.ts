/** Texts of cautions and refusals in the units of the request. */
import { expect, expectTypeOf, test } from 'vitest';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LandingCautionParams, OwnTakeoffParams } from '../landing/caution-codes.ts';
import type { RefusalParams } from '../landing/problem.ts';
import { profiles } from '../fixtures/aircraft.ts';
import { a320, answered, b738, inflight, run } from '../fixtures/landing-calls.ts';
import type { Data } from '../fixtures/landing-calls.ts';
import type { Kind } from './amounts.ts';
import type { cautionWords } from './caution-words.ts';
import type { refusalWords } from './refusal-words.ts';
import type { takeoffCautionWords } from './takeoff-words.ts';

const units = {
  weight: 'lb',
  wind: 'ms',
  altitude: 'meter',
  distance: 'feet',
  depth: 'inches',
  pressure: 'inhg',
};
/** 130,000 lb, in the units above. */
const call = (data: Data = {}): Data => ({
  landingMode: 'inflight',
  units,
  weight: { landingWeight: 130_000 },
  ...data,
});

/** 90 % of the maximum landing weight. */
const heavy = ({ weight }: AircraftProfile, data: Data = {}): Data => {
  const landingWeight = Math.round((weight.mslw * 0.9) / 0.453_592_37);
  return call({ ...data, weight: { landingWeight, cg: 20 } });
};

/** A crosswind within the increased limit of a type that has one. */
const raised = (type: AircraftProfile): string[] =>
  type.landing.windLimit.crosswindLimitsPerRunwayConditions
    .filter(({ increaseableWindLimit }) => increaseableWindLimit)
    .flatMap(({ windLimit, rwycc }) => {
      const windSpeed = (windLimit + 1) * (1852 / 3600);
      const state = type.conditions.enroute.find((each) => rwycc.includes(each.rwycc))?.value;
      const data = { weather: { windDirection: 160, windSpeed }, runwayCondition: { state } };
      return textsOf(type, heavy(type, data), { widthM: 60 });
    });

const textsOf = (id: string | AircraftProfile, data: Data, facts = {}): string[] => {
  const out = run(id, data, facts);
  if (out.kind !== 'answer') throw new Error(JSON.stringify(out));
  return [...out.answer.caution, ...(out.answer.error ?? [])];
};

type Placeholder<T> = T extends `${string}{${infer Inner}}${infer Rest}` ? Inner | Placeholder<Rest> : never;
type Allowed<P> = (keyof P & string) | `${(keyof P & string) | number}:${Kind | 'text' | 'upper'}`;
type Wrong<W extends Record<keyof P, readonly unknown[]>, P> = {
  [C in keyof P]: Exclude<Placeholder<W[C][1]>, Allowed<P[C]>>;
}[keyof P];

test('Texts use only placeholders of their code and known kinds', () => {
  expectTypeOf<Wrong<typeof cautionWords, LandingCautionParams>>().toBeNever();
  expectTypeOf<Wrong<typeof takeoffCautionWords, OwnTakeoffParams>>().toBeNever();
  expectTypeOf<Wrong<typeof refusalWords, RefusalParams>>().toBeNever();
});

test('No caution or refusal text has a unit other than those of the request', () => {
  const texts = [
    textsOf(b738, call({ weight: { landingWeight: 170_000 } })),
    textsOf(b738, call({ weight: { landingWeight: 60_000 } })),
    textsOf(b738, call({ weight: { landingWeight: 400_000 } })),
    textsOf(b738, call({ weather: { headwind: -9.5, windSpeed: 20.5, windDirection: 160 } })),
    textsOf(b738, call({ weather: { headwind: 30 } })),
    textsOf(b738, call({ weather: { qnh: 26 } })),
    textsOf(b738, call(), { elevationFt: 14_000 }),
    textsOf(b738, call(), { ldaM: 1_300, widthM: 28 }),
    textsOf(b738, call({ notam: { shortenStart: 900, shortenEnd: 0 } })),
    textsOf(b738, {
      ...call({ runwayCondition: { state: 'STANDING_WATER', depth: 0.8 } }),
      landingMode: 'dispatch',
    }),
    textsOf(a320, { ...call(), landingMode: 'dispatch' }, { ldaM: 900 }),
    textsOf(b738, call(), { ldaM: 1_900 }),
    textsOf(b738, call({ sources: { qnh: { source: 'assumed', text: '1013 hPa' } } })),
    ...[...profiles.values()].flatMap((type) => [
      raised(type),
      ...type.nonNormal
        .filter(({ note }) => note !== undefined)
        .map(({ value }) => textsOf(type, heavy(type, { configuration: { nonNormalCondition: value } }))),
    ]),
  ].flat();
  expect(texts.filter((text) => text.includes('increased limit'))).toEqual(
    expect.arrayContaining([expect.stringMatching(/more than 6562 ft and runway at least 148 ft wide/)]),
  );
  expect(texts).toEqual(expect.arrayContaining([expect.stringMatching(/QNH 29.91 inHg/)]));
  expect(texts.length).toBeGreaterThan(15);
  expect(
    texts.filter((text) => /\d (?:kg|kt|mm|hPa)\b/.test(text) && !/speed|VREF|VLS|tire/i.test(text)),
  ).toEqual([]);
  expect(texts.filter((text) => /\d m\b(?!\/s)/.test(text) && !/altitude/.test(text))).toEqual([]);
  for (const part of ['lb', 'm/s', 'inHg', 'in ', 'ft'])
    expect(
      texts.some((text) => text.includes(` ${part}`)),
      part,
    ).toBe(true);
});

test('Winds in m/s have decimals, and equal the same wind in knots', () => {
  const inKnots = answered(b738, inflight(60_000, { weather: { windDirection: 70, windSpeed: 10.8 } }));
  const weather = { windDirection: 70, windSpeed: 10.8 * (1852 / 3600) };
  const inMetres = answered(b738, inflight(60_000, { units: { distance: 'meter', wind: 'ms' }, weather }));
  const distances = ({ performance }: typeof inKnots) =>
    performance.autobrakeLandingDist?.map(({ unfactoredDistance }) => unfactoredDistance);
  expect(distances(inMetres)).toEqual(distances(inKnots));
  expect(inMetres.performance.windComponents?.headwind).toBe(5.6);
});

test('A family A additive is named as added to the correction of the type', () => {
  const weather = { windDirection: 70, windSpeed: 24, vrefAdd: 12 };
  const pasted = answered(a320, inflight(60_000, { weather }));
  expect(pasted.answer.cautions.map(({ code }) => code)).not.toContain('ADDITIVE_ON_TOP');
  const twice = answered(a320, inflight(60_000, { weather, configuration: { vrefAdditive: 12 } }));
  expect(twice.answer.cautions.find(({ code }) => code === 'ADDITIVE_ON_TOP')).toMatchObject({
    severity: 'advisory',
    value: 12,
    limit: 20,
  });
  expect((twice.performance.vApp ?? 0) - (pasted.performance.vApp ?? 0)).toBe(12);
});
