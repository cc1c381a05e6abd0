/** What the JSON of a fleet profile may contain, whatever its members mean. */
import type { JsonObject } from './merge.ts';
import { isRecord } from '../record.ts';

export const maxProfileBytes = 1_048_576;
/** Values, objects and arrays, of a profile and of what it is merged to. */
export const maxProfileNodes = 200_000;
const maxProfileDepth = 64;

/** Names that reach the prototype of an object in code that merges carelessly. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

interface Place {
  value: unknown;
  path: string;
  depth: number;
}

/** Why the nodes of a profile are refused, with a path; null when they are not. Takes no stack. */
export const nodeProblem = (root: unknown): string | null => {
  const stack: Place[] = [{ value: root, path: '', depth: 1 }];
  let nodes = 0;
  for (let place = stack.pop(); place; place = stack.pop()) {
    const { value, path, depth } = place;
    nodes += 1;
    if (nodes > maxProfileNodes) return `has more than ${maxProfileNodes} values`;
    if (depth > maxProfileDepth)
      return `${path.slice(0, 100)}: is nested deeper than ${maxProfileDepth} levels`;
    // A number in the text of a body may be too large; it would be stored as null.
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

/** Why a value cannot be the JSON of a profile; null when it can. */
export const profileDataProblem = (data: unknown): string | null => {
  if (!isRecord(data) || Object.keys(data).length === 0) return 'must be an object with members';
  const problem = nodeProblem(data);
  if (problem !== null) return problem;
  if (Object.hasOwn(data, 'profile') && !isRecord(data['profile'])) return 'profile: must be an object';
  return bytesOf(data) > maxProfileBytes ? `is larger than ${maxProfileBytes} bytes` : null;
};

/** The JSON as stored: it names itself and its parent (M-2.4.1a). */
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
