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
  // The file is deleted right after the commit.
  tx: 'manual',
  example: { fileId: 1 },
  handler: ({ transaction, caller, clock, jobs, storage, downloadLinks, input }) =>
    transaction(async (db) => {
      const { fileId } = input;
      await fileToChange({ db, caller, clock, downloadLinks }, fileId, input.expectedVersion);
      await deleteFile(db, { clock, jobs, storage }, { owner: ownerOf(caller), fileId });
      return { deletedFileId: fileId };
    }),
});
