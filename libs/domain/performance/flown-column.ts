import type { TakeoffColumnAnswer, TakeoffPerformanceAnswer } from './takeoff-result.ts';

/** The column whose speeds are those of the answer; null without a weight. */
export const flownColumn = ({
  thrust,
  full,
  reduced,
}: Pick<TakeoffPerformanceAnswer, 'thrust' | 'full' | 'reduced'>): TakeoffColumnAnswer | null =>
  thrust === 'REDUCED' ? reduced : full;
