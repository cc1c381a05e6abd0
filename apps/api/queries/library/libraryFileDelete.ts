import { z } from 'zod';
import { deleteFile } from '#commands/library/files.ts';
import { fileIdField } from '#domain/library/names.ts';
import { libraryErrors } from './common/errors.ts';
import { ownFile, ownerOf } from './common/own.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, FILE_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFileDelete',
  spec: ['2.5', '4.4'],
  summary: 'Deletes a file or link of the user, for good.',
  auth: 'jwt',
  devKey: 'library',
  dialect: 'flat',
  errors: { MISSING_FIELD, FILE_NOT_FOUND, READ_ONLY },
  input: z.object({ fileId: fileIdField() }),
  output: z.strictObject({ deletedFileId: z.int() }),
  // The file is deleted right after the commit.
  tx: 'manual',
  example: { fileId: 1 },
  handler: ({ transaction, caller, clock, jobs, storage, input: { fileId } }) =>
    transaction(async (db) => {
      await ownFile({ db, caller }, fileId);
      await deleteFile(db, { clock, jobs, storage }, { owner: ownerOf(caller), fileId });
      return { deletedFileId: fileId };
    }),
});
