/** Bounds for the JSON of a fleet profile, independent of its meaning. */
import type { JsonObject } from './merge.ts';
import { isRecord } from '../record.ts';

export const maxProfileBytes = 1_048_576;
/** Values, objects and arrays in a profile and in the merged result. */
export const maxProfileNodes = 200_000;
const maxProfileDepth = 64;

/** Names that reach an object's prototype in careless merges. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

interface Place {
  value: unknown;
  path: string;
  depth: number;
}

/**
 * Why a node of a profile is refused, with its path; null if none is. Iterative, so depth cannot overflow the stack.
 */
export const nodeProblem = (root: unknown): string | null => {
  const stack: Place[] = [{ value: root, path: '', depth: 1 }];
  let nodes = 0;
  for (let place = stack.pop(); place; place = stack.pop()) {
    const { value, path, depth } = place;
    nodes += 1;
    if (nodes > maxProfileNodes) return `has more than ${maxProfileNodes} values`;
    if (depth > maxProfileDepth)
      return `${path.slice(0, 100)}: is nested deeper than ${maxProfileDepth} levels`;
    // An overlarge number in a body parses as Infinity and would be stored as null.
    if (typeof value === 'number' && !Number.isFinite(value))
      return `${path.slice(-100)}: is not a finite number`;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      if (refusedKeys.has(key)) return `${at.slice(-100)}: this key is not allowed`;
      stack.push({ value: child, path: at, depth: depth + 1 });
    }
  }
  return null;
};

/** Why a value is not valid as the JSON of a profile; null if it is. */
export const profileDataProblem = (data: unknown): string | null => {
  if (!isRecord(data) || Object.keys(data).length === 0) return 'must be an object with members';
  const problem = nodeProblem(data);
  if (problem !== null) return problem;
  if (Object.hasOwn(data, 'profile') && !isRecord(data['profile'])) return 'profile: must be an object';
  return bytesOf(data) > maxProfileBytes ? `is larger than ${maxProfileBytes} bytes` : null;
};

/** The JSON as stored, which names itself and its parent (M-2.4.1a). */
export const profileToStore = (
  data: JsonObject,
  registration: string,
  basedOnProfile: string,
): JsonObject => ({
  ...data,
  profile: {
    ...(isRecord(data['profile']) ? data['profile'] : {}),
    user_registration: registration,
    basedOnProfile,
  },
});
