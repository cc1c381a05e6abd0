import type { TakeoffPerformanceAnswer } from '#domain/performance/takeoff-result.ts';
import type { Fitted, TakeoffColumn, TakeoffResult } from '../takeoff/types.ts';

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
  const reasons = [
    ...(used && n1.value === null
      ? [{ field: 'n1', reason: 'No published thrust settings for this type, rating, altitude or anti-ice.' }]
      : []),
    ...(units.value === null
      ? [{ field: 'trim', reason: 'No published stabilizer trim tables for this type, or no `weight.cg`.' }]
      : []),
    ...(assumed.value === null
      ? [
          {
            field: 'maxAssumedTemperature',
            reason: 'No published limits of assumed temperature for this type.',
          },
        ]
      : []),
  ];
  return {
    n1: n1.value,
    n1Band: n1.band,
    trim: units.value,
    trimBand: units.band,
    maxAssumedTemperature: assumed.value,
    maxAssumedTemperatureBand: assumed.band,
    notKnown: reasons,
  };
};
