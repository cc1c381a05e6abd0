/** An object with members: neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface DifferentValue {
  /** Path of a value: `weight.mslw`. */
  field: string;
  own: unknown;
  other: unknown;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** All values that differ, whatever the order of keys; undefined and null are equal. */
export const differencesOf = (own: unknown, other: unknown, field = ''): DifferentValue[] => {
  if ((own ?? null) === (other ?? null)) return [];
  if (!isObject(own) || !isObject(other) || Array.isArray(own) !== Array.isArray(other))
    return [{ field, own, other }];
  const names = new Set([...Object.keys(own), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    differencesOf(own[name], other[name], field === '' ? name : `${field}.${name}`),
  );
};
