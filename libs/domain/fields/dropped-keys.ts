/** Walks a Zod schema together with data as sent, and finds the keys that the schema drops. */
import type { z } from 'zod';
import { safeParse } from './safe-parse.ts';

export type Schema = z.core.$ZodTypes;
export type Path = readonly string[];

export interface Found {
  path: Path;
  value: unknown;
  /** The object's known keys. */
  shape: Readonly<Record<string, z.core.$ZodType>>;
  /** Known keys that the data already has. */
  given: ReadonlySet<string>;
}
/** By path, so that the two ends of a pipe report a key once. */
type Findings = Map<string, Found>;

/** The walk ends at this number: a body may contain a hundred thousand keys, and no caller needs them all. */
export const maxDropped = 1_000;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asSchema = (schema: z.core.$ZodType): Schema => schema as Schema;
export const accepts = (schema: z.core.$ZodType, value: unknown): boolean =>
  safeParse(schema as z.ZodType, value).success;

/** The schema inside a wrapper such as optional or nullable. */
const innerOf = (schema: Schema): Schema | null => {
  const { def } = schema._zod;
  if (def.type === 'lazy') return asSchema(def.getter());
  return 'innerType' in def ? asSchema(def.innerType) : null;
};

/** True when the second schema of a pipe sees a value other than the one that was sent. */
const transforms = (schema: Schema): boolean => {
  const { def } = schema._zod;
  if (def.type === 'transform') return true;
  if (def.type === 'pipe')
    return 'transform' in def || transforms(asSchema(def.in)) || transforms(asSchema(def.out));
  const inner = def.type === 'lazy' ? null : innerOf(schema);
  return inner !== null && transforms(inner);
};

/** The option of a union that Zod uses: that of the discriminator, else the first that accepts the value. */
export const optionOf = (schema: Schema, value: unknown): Schema | undefined => {
  const { def } = schema._zod;
  if (def.type !== 'union') return schema;
  const { discriminator } = def as { discriminator?: string };
  const tag = discriminator !== undefined && isRecord(value) ? value[discriminator] : undefined;
  const taken = def.options.find((option) =>
    discriminator === undefined
      ? accepts(option, value)
      : option._zod.propValues?.[discriminator]?.has(tag as string),
  );
  return taken && asSchema(taken);
};

const walkObject = (def: z.core.$ZodObjectDef, value: unknown, path: Path, findings: Findings): void => {
  if (!isRecord(value)) return;
  const { shape, catchall } = def;
  const keys = Object.keys(value);
  const given = new Set(keys.filter((key) => Object.hasOwn(shape, key)));
  const rest = catchall && asSchema(catchall)._zod.def.type !== 'never' ? catchall : null;
  for (const key of keys) {
    if (findings.size >= maxDropped) return;
    const at = [...path, key];
    const known = given.has(key) ? shape[key] : rest;
    if (known) walk(asSchema(known), value[key], at, findings);
    else findings.set(at.join('\0'), { path: at, value: value[key], shape, given });
  }
};

const walk = (schema: Schema, value: unknown, path: Path, findings: Findings): void => {
  if (typeof value !== 'object' || value === null) return;
  const { def } = schema._zod;
  const inner = innerOf(schema);
  if (inner) {
    walk(inner, value, path, findings);
  } else if (def.type === 'object') {
    walkObject(def, value, path, findings);
  } else if (def.type === 'array' && Array.isArray(value)) {
    for (const [i, item] of value.entries())
      walk(asSchema(def.element), item, [...path, String(i)], findings);
  } else if (def.type === 'tuple' && Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const element = def.items[i] ?? def.rest;
      if (element) walk(asSchema(element), item, [...path, String(i)], findings);
    }
  } else if (def.type === 'record' && isRecord(value)) {
    // A key that the record does not accept is an issue, never dropped.
    for (const [key, item] of Object.entries(value))
      walk(asSchema(def.valueType), item, [...path, key], findings);
  } else if (def.type === 'union') {
    const taken = optionOf(schema, value);
    if (taken) walk(taken, value, path, findings);
  } else if (def.type === 'intersection') {
    const [left, right]: [Findings, Findings] = [new Map(), new Map()];
    walk(asSchema(def.left), value, path, left);
    walk(asSchema(def.right), value, path, right);
    // Only keys unknown to both sides are dropped.
    for (const [at, found] of left) if (right.has(at)) findings.set(at, found);
  } else if (def.type === 'pipe') {
    walk(asSchema(def.in), value, path, findings);
    if (!('transform' in def) && !transforms(asSchema(def.in)))
      walk(asSchema(def.out), value, path, findings);
  }
};

/** The keys of `data` that the schema drops. */
export const droppedKeys = (schema: Schema, data: unknown): Found[] => {
  const findings: Findings = new Map();
  walk(schema, data, [], findings);
  return [...findings.values()];
};

interface KnownField {
  /** `[]` for the entries of a list. */
  path: string;
  schema: Schema;
}

/** All keys known to a schema. */
export const knownFields = (
  schema: Schema,
  path = '',
  seen: ReadonlySet<Schema> = new Set(),
): KnownField[] => {
  if (seen.has(schema)) return [];
  const within = new Set([...seen, schema]);
  const below = (child: z.core.$ZodType, at: string) => knownFields(asSchema(child), at, within);
  const { def } = schema._zod;
  const inner = innerOf(schema);
  if (inner) return below(inner, path);
  if (def.type === 'object') {
    return Object.entries(def.shape).flatMap(([key, child]) => {
      const at = path === '' ? key : `${path}.${key}`;
      return [{ path: at, schema: asSchema(child) }, ...below(child, at)];
    });
  }
  if (def.type === 'array') return below(def.element, `${path}[]`);
  if (def.type === 'union') return def.options.flatMap((option) => below(option, path));
  if (def.type === 'intersection') return [...below(def.left, path), ...below(def.right, path)];
  if (def.type !== 'pipe') return [];
  const fields = [...below(def.in, path), ...below(def.out, path)];
  return [...new Map(fields.map((field) => [field.path, field])).values()];
};
