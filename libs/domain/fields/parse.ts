/** Parses external data and locates the issues of refused data. */
import { z } from 'zod';

type Issue = z.core.$ZodIssue;
export type Path = readonly PropertyKey[];

/** Whether any object in the data has a member `length` that is an object. */
const hasObjectAsLength = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if ('length' in value && typeof value.length === 'object' && value.length !== null) return true;
  return Object.values(value).some(hasObjectAsLength);
};

/**
 * `safeParse` for external data. Zod compares `length` with its bounds, which throws if that is an object with a member
 * `toString`; such data are refused.
 */
export const safeParse = (schema: z.ZodType, data: unknown): z.ZodSafeParseResult<unknown> => {
  try {
    return schema.safeParse(data);
  } catch (error) {
    if (!(error instanceof TypeError) || !hasObjectAsLength(data)) throw error;
    const message = 'a member "length" must not be an object';
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: data }]) };
  }
};

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );

/** Paths of unknown keys, as sent. */
const unknownPaths = (data: unknown, { issues }: z.ZodError): Path[] =>
  issues
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
    )
    .filter((path) => Object.hasOwn(Object(valueAt(data, path.slice(0, -1))), path.at(-1) ?? ''));

/**
 * A copy of the data without the members at these paths; parts without such members, such as opaque JSON, are shared.
 */
const without = (data: unknown, paths: readonly Path[]): unknown => {
  const copies = new WeakSet<object>();
  const copyOf = (value: object): object => {
    if (copies.has(value)) return value;
    const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    copies.add(copy);
    return copy;
  };
  const root = { data };
  for (const path of paths) {
    let owner: object = root;
    for (const key of ['data', ...path.slice(0, -1)]) {
      const value = copyOf(Reflect.get(owner, key) as object);
      Reflect.defineProperty(owner, key, { value, writable: true, enumerable: true, configurable: true });
      owner = value;
    }
    Reflect.deleteProperty(owner, path.at(-1) ?? '');
  }
  return root.data;
};

/** Parses `data` without keys unknown to the schema's strict objects, and returns those keys. */
export const parseKnown = (
  schema: z.ZodType,
  data: unknown,
): { parsed: z.ZodSafeParseResult<unknown>; known: unknown; unknown: Path[] } => {
  let parsed = safeParse(schema, data);
  let unknown: Path[] = [];
  let known = data;
  // Values behind a transform are only parsed once the keys before it are valid.
  for (;;) {
    const found = parsed.success ? [] : unknownPaths(known, parsed.error);
    if (found.length === 0) return { parsed, known, unknown };
    known = without(known, found);
    unknown = unknown.concat(found);
    parsed = safeParse(schema, known);
  }
};

/** The option of a union that the value matches furthest, the first of equals. */
const furthest = (options: readonly (readonly Issue[])[]): readonly Issue[] => {
  const depthOf = (issues: readonly Issue[]) => Math.max(0, ...issues.map(({ path }) => path.length));
  return options.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
};

/** Issues with their paths; those of a union come from the option that was probably meant. */
export const placedIssues = (issues: readonly Issue[]): Issue[] =>
  issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue];
    const inner = furthest(issue.errors);
    // If the value enters no option, the union's own message says more.
    if (inner.every(({ path }) => path.length === 0)) return [issue];
    return placedIssues(inner).map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
  });
