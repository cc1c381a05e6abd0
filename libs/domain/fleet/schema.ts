/** JSON Schemas for authors of profiles. */
import { z } from 'zod';
import { aircraftProfileSchema } from '../aircraft/profile.ts';
import type { JsonObject } from './merge.ts';
import { maxProfileBytes } from './profile-data.ts';
import { isRecord } from '../record.ts';

type JsonSchema = Record<string, unknown>;

const rootOf = (): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(aircraftProfileSchema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  });
  return rest;
};

/** A complete, merged aircraft. */
export const profileJsonSchema = (): JsonSchema => rootOf();

/**
 * A schema in which members may be inherited: nothing is required, except within arrays, which replace those of the
 * parent. The save checks what the engine requires of the merged result.
 */
const partial = (schema: unknown): unknown => {
  if (!isRecord(schema)) return schema;
  const { required: _, additionalProperties: __, ...rest } = schema;
  const branches = (value: unknown) => (Array.isArray(value) ? value.map(partial) : value);
  const properties: JsonObject = isRecord(rest['properties']) ? rest['properties'] : {};
  return {
    ...rest,
    ...(rest['type'] === 'object'
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, child]) => [name, partial(child)]),
          ),
        }
      : {}),
    ...(isRecord(schema['additionalProperties'])
      ? { additionalProperties: partial(schema['additionalProperties']) }
      : {}),
    ...('anyOf' in rest ? { anyOf: branches(rest['anyOf']) } : {}),
  };
};

/** `profileData` in fleetSave, and the files for `npm run calc -- --profile`. */
export const profileDataJsonSchema = (): JsonSchema => {
  const schema = partial(rootOf());
  if (!isRecord(schema)) throw new Error('the schema of a profile is an object');
  return { ...schema, minProperties: 1, maxBytes: maxProfileBytes };
};
