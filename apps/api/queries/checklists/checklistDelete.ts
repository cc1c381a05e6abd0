import { z } from 'zod';
import { writableIdField } from '#domain/checklists/ids.ts';
import { returnField } from '#domain/fields/deletion.ts';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { checklistWrites } from '#store/postgres/checklists/checklists.ts';
import { idErrors, notChanged, ownerOf, writeErrors } from './common/checklist.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'checklistDelete',
  spec: ['2.2', '4.1'],
  summary: 'Permanently deletes a checklist of the caller with its ratings.',
  dialect: 'checklist',
  errors: { ...writeErrors, MISSING_CHECKLIST_ID: idErrors.MISSING_CHECKLIST_ID },
  input: z.strictObject({
    checklistId: writableIdField(),
    expectedVersion: expectedVersionField(),
    return: returnField(),
    ...vaFields(),
  }),
  output: z.strictObject({ checklistId: z.string(), deleted: z.boolean() }),
  tx: 'write',
  example: { checklistId: '00000000-0000-4000-8000-000000000000' },
  handler: async (ctx) => {
    const { input, caller, db } = ctx;
    const { checklistId, expectedVersion } = input;
    const owner = await ownerOf(db, caller.userId, input);
    if ((await checklistWrites(db).delete(checklistId, owner, expectedVersion)) === 0)
      return notChanged({ ...ctx, owner, returned: input.return }, checklistId);
    return { checklistId, deleted: true };
  },
});
