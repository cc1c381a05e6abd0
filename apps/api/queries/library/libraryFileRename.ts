import { z } from 'zod';
import { renameFile } from '#commands/library.ts';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { fileIdField, maxFileName, nameField } from '#domain/library/names.ts';
import { revisionTextSchema } from '#domain/library/objects.ts';
import { fileConflict, fileToChange, libraryErrors, ownerOf } from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, MISSING_NAME, INVALID_NAME, FILE_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFileRename',
  spec: ['2.5', '4.4'],
  summary: 'Renames a file or link of the user.',
  auth: 'jwt',
  devKey: 'library',
  dialect: 'flat',
  errors: { MISSING_FIELD, MISSING_NAME, INVALID_NAME, FILE_NOT_FOUND, READ_ONLY, ...fileConflict },
  input: z.object({
    fileId: fileIdField(),
    name: nameField(maxFileName),
    expectedVersion: expectedVersionField(),
  }),
  output: z.strictObject({
    file: z.strictObject({ id: z.string(), name: z.string(), revision: revisionTextSchema }),
  }),
  tx: 'write',
  example: { fileId: 1, name: 'EDDF ground.pdf' },
  handler: async (ctx) => {
    const { db, caller, clock, input } = ctx;
    const { fileId, name } = input;
    await fileToChange(ctx, fileId, input.expectedVersion);
    const revision = await renameFile(db, { clock }, { owner: ownerOf(caller), fileId, name });
    return { file: { id: String(fileId), name, revision: String(revision) } };
  },
});
