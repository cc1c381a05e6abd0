/** A takeoff whose figures leave out NOTAM that are in force, against what these leave of the runway. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { Caution } from '../landing/caution-codes.ts';
import { calculateTakeoff } from '../takeoff/calculate.ts';
import type { TakeoffCase, TakeoffColumn, TakeoffResult } from '../takeoff/types.ts';
import type { TakeoffRunwayFacts } from './types.ts';

/** `used`: the column that is flown; null without a weight. */
export const underNotam = (
  profile: AircraftProfile,
  takeoff: TakeoffCase,
  { limitKg: limitPlainKg }: Pick<TakeoffResult, 'limitKg'>,
  used: TakeoffColumn | null,
  { inForce }: Pick<TakeoffRunwayFacts, 'inForce'>,
): Caution[] => {
  const { runway } = takeoff;
  const isShorter = (['toraM', 'todaM', 'asdaM'] as const).some(
    (name) => inForce && inForce[name] < runway[name] - 0.05,
  );
  if (!inForce || !isShorter) return [];
  const shortened = calculateTakeoff(profile, { ...takeoff, runway: { ...runway, ...inForce } });
  const result = shortened.ok ? shortened.result : null;
  const limitKg = result?.limitKg ?? 0;
  const weightKg = takeoff.massKg ?? limitPlainKg ?? 0;
  if (!result || weightKg > limitKg)
    return [{ code: 'WEIGHT_UNDER_NOTAM', severity: 'warning', params: { weightKg, limitKg } }];
  if (!used) return [];
  const { asdM, todM, todAllEnginesM } = used.speeds.required;
  const { asdaM, todaM } = result.declared;
  const needed = [
    { declared: 'ASDA' as const, distanceM: asdM, availableM: asdaM },
    { declared: 'TODA' as const, distanceM: Math.max(todM, todAllEnginesM), availableM: todaM },
  ];
  const params = needed.find(({ distanceM, availableM }) => distanceM > availableM);
  return params ? [{ code: 'DISTANCE_UNDER_NOTAM', severity: 'warning', params }] : [];
};
