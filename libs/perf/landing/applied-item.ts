import type { Applied } from './types.ts';

/** One entry of what went into a result. */
export const appliedItem = (
  name: string,
  value: Applied['value'],
  unit: string,
  source: string,
): Applied => ({
  name,
  value,
  unit,
  source,
});
