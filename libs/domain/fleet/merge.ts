import { isRecord } from '../record.ts';

/** A parsed JSON object, with own enumerable members only. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The parent, overridden recursively by the child: null overrides, arrays are replaced as a whole, and members unknown
 * to engine and contract are kept. Neither input is changed; unchanged parts are shared.
 */
export const mergeProfiles = (parent: JsonObject, child: JsonObject): JsonObject => {
  // Unlike an assignment, a spread never calls the setter of `__proto__`.
  const merged: Record<string, unknown> = { ...parent };
  for (const key of Object.keys(child)) {
    const over = child[key];
    const under = Object.hasOwn(parent, key) ? parent[key] : undefined;
    const value = isRecord(over) && isRecord(under) ? mergeProfiles(under, over) : over;
    if (key === '__proto__')
      Object.defineProperty(merged, key, { value, enumerable: true, configurable: true, writable: true });
    else merged[key] = value;
  }
  return merged;
};
