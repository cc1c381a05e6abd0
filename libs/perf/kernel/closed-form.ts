import type { Roll } from './ground-roll.ts';
import { gravity } from './units.ts';

/**
 * Analytic roll of constant friction, no reverse, no wind and no autobrake: a = a0 + a2 V^2 integrates to
 * ln(1 + a2 V^2 / a0) / (2 a2). The oracle of the numeric roll.
 */
export const closedFormRoll = (roll: Roll): number => {
  const mu = roll.friction.c0 * roll.friction.scale * roll.loadFactor;
  const pressure = (0.5 * roll.densityKgM3 * roll.wingAreaM2) / roll.massKg;
  const a0 = mu * gravity - roll.idleForwardN / roll.massKg + gravity * roll.slope;
  const a2 = pressure * (roll.cd - mu * roll.cl);
  const v2 = roll.entryMps * roll.entryMps;
  return Math.abs(a2 * v2) < 1e-9 ? v2 / (2 * a0) : Math.log(1 + (a2 * v2) / a0) / (2 * a2);
};
