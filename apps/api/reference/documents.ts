import { checklistJsonSchema } from '#domain/checklists/document.ts';
import type { JsonSchema } from './schemas.ts';

/** Documents that clients write, with their JSON Schemas; served like those of the queries, under `/api/schemas`. */
export const documentSchemas: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  checklist: {
    description: 'A checklist document, as in `checklist` of checklistSave and checklistGet.',
    schema: checklistJsonSchema(),
  },
};
