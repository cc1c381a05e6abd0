/** Leaf fields of a Zod schema by path, such as `runways.*.ident`. */
import { z } from 'zod';

type Schema = Record<string, unknown>;

export const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const leavesIn = (schema: unknown, path: string): string[] => {
  if (!isRecord(schema)) return [];
  const branches = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const inner = branches.flatMap((branch) => leavesIn(branch, path)).filter((leaf) => leaf !== path);
  const own = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const found = own.flatMap(([name, child]) => leavesIn(child, join(path, name)));
  const each = leavesIn(schema['items'], join(path, '*')).filter((leaf) => leaf !== join(path, '*'));
  return inner.length + found.length + each.length === 0
    ? [path]
    : [...new Set([...inner, ...found, ...each])];
};

export const schemaLeaves = (schema: z.ZodType, io: 'input' | 'output'): string[] =>
  leavesIn(z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }), '');
