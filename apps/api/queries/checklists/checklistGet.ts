import { z } from 'zod';
import { readableIdField } from '#domain/checklists/ids.ts';
import { checklistSchema, readChecklist, readErrors } from './common/checklist.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'checklistGet',
  get: { maxAgeSeconds: 0 },
  spec: ['2.2', '4.1'],
  summary: 'One checklist with its document, by uuid, default id, or file name of a built-in one.',
  dialect: 'checklist',
  errors: readErrors,
  input: z.strictObject({ checklistId: readableIdField() }),
  output: checklistSchema,
  example: { checklistId: 'default:1.3.6:a320-family' },
  handler: (ctx) => readChecklist(ctx, ctx.input.checklistId),
});
