import { z } from 'zod';
import { deleteFolder } from '#commands/library/folders.ts';
import { folderIdField } from '#domain/library/names.ts';
import { libraryErrors } from './common/errors.ts';
import { ownFolder, ownerOf } from './common/own.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, FOLDER_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFolderDelete',
  spec: ['2.5', '4.4'],
  summary: 'Deletes a folder of the user with everything in it, for good.',
  auth: 'jwt',
  devKey: 'library',
  dialect: 'flat',
  errors: { MISSING_FIELD, FOLDER_NOT_FOUND, READ_ONLY },
  input: z.object({ folderId: folderIdField() }),
  output: z.strictObject({ deletedFolderIds: z.array(z.int()) }),
  // The files are deleted right after the commit.
  tx: 'manual',
  example: { folderId: 1 },
  handler: ({ transaction, caller, clock, jobs, storage, input: { folderId } }) =>
    transaction(async (db) => {
      await ownFolder({ db, caller }, folderId);
      const deps = { clock, jobs, storage };
      return { deletedFolderIds: await deleteFolder(db, deps, { owner: ownerOf(caller), folderId }) };
    }),
});
