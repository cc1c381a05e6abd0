/** JSON Schemas for authors of profiles. */
import { aircraftProfileSchema } from '../aircraft/profile.ts';
import { inputSchemaOf } from '../fields/list.ts';
import type { JsonObject } from './merge.ts';
import { maxProfileBytes } from './profile-data.ts';
import { isRecord } from '../record.ts';

/** A complete, merged aircraft. */
export const profileJsonSchema = (): JsonObject => inputSchemaOf(aircraftProfileSchema);

/**
 * A schema in which members may be inherited: nothing is required, except within arrays, which replace those of the
 * parent. The save checks what the engine requires of the merged result.
 */
const partial = (schema: JsonObject): JsonObject => {
  const { required: _, additionalProperties: others, ...rest } = schema;
  const { properties = {}, anyOf } = rest as { properties?: JsonObject; anyOf?: JsonObject[] };
  const inherited = Object.entries(properties).map(([name, child]) => [name, partial(child as JsonObject)]);
  return {
    ...rest,
    ...(rest['type'] === 'object' && { properties: Object.fromEntries(inherited) }),
    ...(isRecord(others) && { additionalProperties: partial(others) }),
    ...(anyOf && { anyOf: anyOf.map(partial) }),
  };
};

/** `profileData` in fleetSave, and the files for `npm run calc -- --profile`. */
export const profileDataJsonSchema = (): JsonObject => ({
  ...partial(profileJsonSchema()),
  minProperties: 1,
  maxBytes: maxProfileBytes,
});
