import { isRecord } from '../record.ts';

/** A JSON object, as parsed: own enumerable members only. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The parent with the members of the child over it, deeply: the child wins, null included; an array replaces the other as a
 * whole; members that neither engine nor contract know are kept. Neither is changed, and unchanged parts are shared.
 */
export const mergeProfiles = (parent: JsonObject, child: JsonObject): JsonObject => {
  // A spread defines members; it never calls the setter of `__proto__` as an assignment would.
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
