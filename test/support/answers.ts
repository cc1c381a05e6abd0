/** Helpers to inspect answers of the API. */
import type { Answer } from '../api.ts';

/** Status and code of a refused call, for one-line comparisons. */
export const refusal = ({ status, body }: Answer): [number, unknown] => {
  const { error } = body;
  return [status, typeof error === 'object' && error !== null && 'code' in error ? error.code : null];
};

/** A member of an answer by path, for example `at(answer, 'user', 'rank')`; undefined if it does not exist. */
export const at = ({ body }: Answer, ...path: (string | number)[]): unknown => {
  let value: unknown = body;
  for (const name of path) {
    value =
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
};
