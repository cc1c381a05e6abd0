import { z } from 'zod';
import { maxIdLength, readableIdField } from '#domain/checklists/ids.ts';
import { listField, textField } from '#domain/fields/index.ts';
import { maxSeveral, several, severalShape } from '#domain/sync/several.ts';
import { checklistFound, checklistSchema, idErrors } from './common/checklist.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_CHECKLIST_ID, INVALID_CHECKLIST_ID } = idErrors;

export default defineQuery({
  name: 'checklistBatch',
  spec: ['2.2', '4.1'],
  summary: `Up to ${maxSeveral} checklists with their documents, as far as they fit into 2 MB.`,
  dialect: 'checklist',
  errors: {
    MISSING_FIELD: 400,
    INVALID_FIELD: 400,
    MISSING_CHECKLIST_ID,
    INVALID_CHECKLIST_ID,
  },
  input: z.strictObject({ checklistIds: listField(readableIdField(), { min: 1, max: maxSeveral }) }),
  output: z.strictObject(severalShape(checklistSchema, textField(maxIdLength), textField(maxIdLength))),
  example: { checklistIds: ['default:1.3.6:a320-family'] },
  handler: async ({ input, ...call }) =>
    several([...new Set(input.checklistIds)], async (id) => {
      const found = await checklistFound(call, id);
      return typeof found === 'string' ? null : found;
    }),
});
