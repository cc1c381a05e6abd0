/** TypeScript of a JSON Schema, for the keywords that the schemas of the queries use. */
import type { JsonSchema } from '#api/reference/schemas.ts';

/** Input: a field may be absent or undefined. Output: present or absent. */
export type Side = 'input' | 'output';

/** Name of a type declared elsewhere. */
export type Names = (schema: JsonSchema, side: Side) => string | undefined;

/** Context of a schema's types. */
interface Scope {
  side: Side;
  nameOf: Names;
}

export const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const recordsOf = (value: unknown): JsonSchema[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const comment = (text: unknown, indent: string): string =>
  typeof text === 'string' && text !== '' ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';

const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const union = (parts: readonly string[]): string => {
  const distinct = [...new Set(parts)];
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ') || 'never';
};

export const isOpen = ({ additionalProperties: rest }: JsonSchema): boolean =>
  rest === true || isRecord(rest);

const objectText = (schema: JsonSchema, scope: Scope, indent: string): string => {
  const properties = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {});
  const rest = schema['additionalProperties'];
  if (properties.length === 0)
    return `Record<string, ${isRecord(rest) ? typeText(rest, scope, indent) : 'unknown'}>`;
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  const inner = `${indent}  `;
  const lines = properties.map(([name, field]) => {
    const fieldSchema = isRecord(field) ? field : {};
    const isOptional = !required.has(name);
    const type = typeText(fieldSchema, scope, inner);
    const text = isOptional && scope.side === 'input' ? `${type} | undefined` : type;
    return `${comment(fieldSchema['description'], inner)}${inner}${keyText(name)}${isOptional ? '?' : ''}: ${text};\n`;
  });
  const open = isOpen(schema) ? `${inner}[key: string]: unknown;\n` : '';
  return `{\n${lines.join('')}${open}${indent}}`;
};

const arrayText = (schema: JsonSchema, scope: Scope, indent: string): string => {
  const fixed = recordsOf(schema['prefixItems']);
  if (fixed.length > 0) return `[${fixed.map((item) => typeText(item, scope, indent)).join(', ')}]`;
  const items = isRecord(schema['items']) ? schema['items'] : {};
  const text = typeText(items, scope, indent);
  return /^\w+$/.test(text) ? `${text}[]` : `Array<${text}>`;
};

const typeNamed = (type: unknown, schema: JsonSchema, scope: Scope, indent: string): string => {
  if (type === 'object') return objectText(schema, scope, indent);
  if (type === 'array') return arrayText(schema, scope, indent);
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  return 'unknown';
};

const literalText = (schema: JsonSchema, scope: Scope, indent: string): string => {
  if ('not' in schema) return 'never';
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map((value) => JSON.stringify(value)));
  const alternatives = recordsOf(schema['anyOf'] ?? schema['oneOf']);
  if (alternatives.length > 0)
    return union(alternatives.map((alternative) => typeText(alternative, scope, indent)));
  const parts = recordsOf(schema['allOf']);
  if (parts.length > 0) return parts.map((part) => `(${typeText(part, scope, indent)})`).join(' & ');
  const types = 'properties' in schema && !('type' in schema) ? ['object'] : [schema['type']].flat();
  return union(types.map((type) => typeNamed(type, schema, scope, indent)));
};

/** The type of a value of this schema, or its name; lines after the first are indented. */
const typeText = (schema: JsonSchema, scope: Scope, indent: string): string =>
  scope.nameOf(schema, scope.side) ?? literalText(schema, scope, indent);

/** `export interface` of an object, `export type` of anything else. */
export const declarationText = (
  name: string,
  schema: JsonSchema,
  scope: Scope,
  { description, base }: { description: string; base?: string | undefined },
): string => {
  const text = literalText(schema, scope, '');
  const head = comment(description, '');
  return schema['type'] === 'object' && text.startsWith('{')
    ? `${head}export interface ${name}${base === undefined ? '' : ` extends ${base}`} ${text}\n`
    : `${head}export type ${name} = ${text};\n`;
};
