import { z } from 'zod';
import { deleteFile } from '#commands/library.ts';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { fileIdField } from '#domain/library/names.ts';
import { fileConflict, fileToChange, libraryErrors, ownerOf } from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, FILE_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFileDelete',
  spec: ['2.5', '4.4'],
  summary: 'Permanently deletes a file or link of the user.',
  devKey: 'library',
  errors: { MISSING_FIELD, FILE_NOT_FOUND, READ_ONLY, ...fileConflict },
  input: z.strictObject({ fileId: fileIdField(), expectedVersion: expectedVersionField() }),
  output: z.strictObject({ deletedFileId: z.int() }),
  tx: 'write',
  example: { fileId: 1 },
  handler: async (ctx) => {
    const { fileId, expectedVersion } = ctx.input;
    await fileToChange(ctx, fileId, expectedVersion);
    await deleteFile(ctx.db, ctx, { owner: ownerOf(ctx.caller), fileId });
    return { deletedFileId: fileId };
  },
});
