import { checklistJsonSchema } from '#domain/checklists/document.ts';
import { profileDataJsonSchema, profileJsonSchema } from '#domain/fleet/schema.ts';
import type { JsonSchema } from './schemas.ts';

/** Documents that clients write, with their JSON Schemas; served like those of the queries, under `/api/schemas`. */
export const documentSchemas: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  checklist: {
    description: 'A checklist document, as in `checklist` of checklistSave and checklistGet.',
    schema: checklistJsonSchema(),
  },
  'aircraft-profile': {
    description: 'A whole aircraft profile, as the engine uses it after merging.',
    schema: profileJsonSchema(),
  },
  'fleet-profile': {
    description: 'The members of a profile that differ from its parent, as in `profileData` of fleetSave.',
    schema: profileDataJsonSchema(),
  },
};
