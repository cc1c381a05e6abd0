import type { TakeoffPerformanceAnswer } from '#domain/performance/takeoff-result.ts';
import type { Fitted, TakeoffColumn, TakeoffResult } from '../takeoff/types.ts';

/** Null fields with the reason of each, unless they are known. */
export const unless = (
  isKnown: boolean,
  reasons: Readonly<Record<string, string>>,
): TakeoffPerformanceAnswer['notKnown'] =>
  isKnown ? [] : Object.entries(reasons).map(([field, reason]) => ({ field, reason }));

/** A value rounded to the published step, and the band of one RMS around it. */
const shown = (fitted: Fitted | null, step: number) => {
  const to = (value: number): number => Number((Math.round(value / step) * step).toFixed(2));
  if (!fitted) return { value: null, band: null };
  const { value, rms } = fitted;
  return {
    value: to(value),
    band: [to(value - rms - step / 2), to(value + rms + step / 2)] as [number, number],
  };
};

/** Thrust setting, trim and maximum assumed temperature of a takeoff, and why any is null. */
export const settingsAnswer = (
  { trim, mostAssumedC }: TakeoffResult,
  used: TakeoffColumn | null,
): Pick<
  TakeoffPerformanceAnswer,
  'n1' | 'n1Band' | 'trim' | 'trimBand' | 'maxAssumedTemperature' | 'maxAssumedTemperatureBand' | 'notKnown'
> => {
  const n1 = shown(used?.n1 ?? null, 0.1);
  const units = shown(trim, 0.25);
  const assumed = shown(mostAssumedC, 1);
  return {
    n1: n1.value,
    n1Band: n1.band,
    trim: units.value,
    trimBand: units.band,
    maxAssumedTemperature: assumed.value,
    maxAssumedTemperatureBand: assumed.band,
    notKnown: [
      ...unless(!used || n1.value !== null, {
        n1: 'No published thrust settings for this type, rating, altitude or anti-ice.',
      }),
      ...unless(units.value !== null, {
        trim: 'No published stabilizer trim tables for this type, or no `weight.cg`.',
      }),
      ...unless(assumed.value !== null, {
        maxAssumedTemperature: 'No published limits of assumed temperature for this type.',
      }),
    ],
  };
};
