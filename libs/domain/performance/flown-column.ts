import type { TakeoffColumnAnswer, TakeoffPerformanceAnswer } from './takeoff-result.ts';

/** The column with the speeds to fly; null without a weight. */
export const flownColumn = (of: TakeoffPerformanceAnswer): TakeoffColumnAnswer | null =>
  of.thrust === 'REDUCED' ? of.reduced : of.full;
