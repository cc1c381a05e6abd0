import type { TakeoffColumnAnswer, TakeoffPerformanceAnswer } from './takeoff-result.ts';

/** The column whose speeds are those of the answer; null without a weight. */
export const flownColumn = (of: TakeoffPerformanceAnswer): TakeoffColumnAnswer | null =>
  of.thrust === 'REDUCED' ? of.reduced : of.full;
