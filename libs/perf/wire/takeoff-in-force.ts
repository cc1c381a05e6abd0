/** A takeoff whose figures leave out NOTAM that are in force, against what these leave of the runway. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { calculateTakeoff } from '../takeoff/calculate.ts';
import type { TakeoffCaution } from '../takeoff/caution-codes.ts';
import type { TakeoffCase, TakeoffColumn, TakeoffResult } from '../takeoff/types.ts';
import type { TakeoffRunwayFacts } from './takeoff-types.ts';

const caution = (code: TakeoffCaution['code'], params: TakeoffCaution['params']): TakeoffCaution =>
  ({ code, severity: 'warning', params }) as TakeoffCaution;

/** `used`: the column that is flown; null without a weight. */
export const underNotam = (
  profile: AircraftProfile,
  takeoff: TakeoffCase,
  { limitKg: limitPlainKg }: Pick<TakeoffResult, 'limitKg'>,
  used: TakeoffColumn | null,
  { inForce }: Pick<TakeoffRunwayFacts, 'inForce'>,
): TakeoffCaution[] => {
  const { runway } = takeoff;
  const isShorter = (['toraM', 'todaM', 'asdaM'] as const).some(
    (name) => inForce && inForce[name] < runway[name] - 0.05,
  );
  if (!inForce || !isShorter) return [];
  const shortened = calculateTakeoff(profile, { ...takeoff, runway: { ...runway, ...inForce } });
  const result = shortened.ok ? shortened.result : null;
  const limitKg = result?.limitKg ?? 0;
  const weightKg = takeoff.massKg ?? limitPlainKg ?? 0;
  if (!result || weightKg > limitKg) return [caution('WEIGHT_UNDER_NOTAM', { weightKg, limitKg })];
  if (!used) return [];
  const { asdM, todM, todAllEnginesM } = used.speeds.required;
  const { asdaM, todaM } = result.declared;
  const needed = [
    { declared: 'ASDA' as const, distanceM: asdM, availableM: asdaM },
    { declared: 'TODA' as const, distanceM: Math.max(todM, todAllEnginesM), availableM: todaM },
  ];
  const short = needed.find(({ distanceM, availableM }) => distanceM > availableM);
  return short ? [caution('DISTANCE_UNDER_NOTAM', short)] : [];
};
