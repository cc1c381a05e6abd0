import { kgPerLb, paPerHpa, paPerInhg } from '../kernel/units.ts';
/** A value far outside its limits that would be an ordinary one in another unit: the question that leads to the mistake. */
import type { Say } from './amounts.ts';

const hpaPerInhg = paPerInhg / paPerHpa;
const pressures = { leastHpa: 850, mostHpa: 1_090 };
/** An aircraft weighs at most some 2.5 times what it weighs empty. */
const emptyToFull = 2.5;

/** `qnhHpa`: as understood, in hPa. */
export const pressureQuestion = (qnhHpa: number, say: Say): string => {
  const isOrdinary = (hpa: number): boolean => hpa >= pressures.leastHpa && hpa <= pressures.mostHpa;
  const isInhg = say('pressure', 1).endsWith('inHg');
  if (isInhg) return isOrdinary(qnhHpa / hpaPerInhg) ? ' Is it hPa? Then units.pressure is "hpa".' : '';
  if (isOrdinary(qnhHpa * hpaPerInhg)) return ' Is it inHg? Then units.pressure is "inhg".';
  return isOrdinary((qnhHpa * hpaPerInhg) / 100)
    ? ' Is it inHg without its point (2992 for 29.92)? Then send 29.92 with units.pressure "inhg".'
    : '';
};

/** `weightKg`: as understood, in kg; `leastKg`: the lightest that is plausible. */
export const massQuestion = (weightKg: number, leastKg: number, say: Say): string => {
  const isOrdinary = (kg: number): boolean => kg >= leastKg && kg <= leastKg * emptyToFull;
  if (say('mass', 1).endsWith('lb'))
    return isOrdinary(weightKg / kgPerLb) ? ' Is it in kg? Then units.weight is "kg".' : '';
  if (isOrdinary(weightKg * kgPerLb)) return ' Is it in lb? Then units.weight is "lb".';
  return isOrdinary(weightKg * 1_000) ? ' Is it in tonnes? Send kg.' : '';
};
