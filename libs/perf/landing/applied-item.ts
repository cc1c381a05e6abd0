import type { Applied } from './types.ts';

/** One entry of the list of corrections and assumptions in a result. */
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
