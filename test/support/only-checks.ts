import type { z } from 'zod';

type Schema = z.core.$ZodTypes;

const asSchema = (schema: z.core.$ZodType): Schema => schema as Schema;

/** `trim`, `toLowerCase` and the like. */
const overwrites = (schema: Schema): boolean =>
  (schema._zod.def.checks ?? []).some((check) => check._zod.def.check === 'overwrite');

const leaves: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'bigint',
  'null',
  'undefined',
  'void',
  'any',
  'unknown',
  'never',
  'literal',
  'enum',
  'nan',
]);

/** A schema inside itself is decided by what else it consists of. */
const checks = (schema: Schema, seen: ReadonlySet<Schema>): boolean => {
  const { def } = schema._zod;
  if (seen.has(schema)) return true;
  if (overwrites(schema) || ('coerce' in def && def.coerce)) return false;
  if (leaves.has(def.type)) return true;
  const within = new Set([...seen, schema]);
  const all = (parts: readonly z.core.$ZodType[]) => parts.every((part) => checks(asSchema(part), within));
  switch (def.type) {
    case 'object':
      // Without `strict` or `loose`, unknown keys are stripped.
      return def.catchall !== undefined && all([...Object.values(def.shape), def.catchall]);
    case 'array':
      return all([def.element]);
    case 'tuple':
      return all(def.rest ? [...def.items, def.rest] : def.items);
    case 'record':
      return all([def.keyType, def.valueType]);
    case 'union':
      return all(def.options);
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'readonly':
      return all([def.innerType]);
    case 'lazy':
      return all([def.getter()]);
    default:
      return false;
  }
};

/** True when parsing fills in, strips and transforms nothing, so that a valid value is its own output. */
export const onlyChecks = (schema: z.ZodType): boolean => checks(asSchema(schema), new Set());
