import { z } from 'zod';
import { renameFolder } from '#commands/library.ts';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { folderIdField, maxFolderName, nameField } from '#domain/library/names.ts';
import { revisionTextSchema } from '#domain/library/objects.ts';
import { folderConflict, folderToChange, libraryErrors, ownerOf } from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_NAME, INVALID_NAME, MISSING_FIELD, FOLDER_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFolderRename',
  spec: ['2.5', '4.4'],
  summary: 'Renames a folder of the user.',
  auth: 'jwt',
  devKey: 'library',
  dialect: 'flat',
  errors: { MISSING_FIELD, MISSING_NAME, INVALID_NAME, FOLDER_NOT_FOUND, READ_ONLY, ...folderConflict },
  input: z.object({
    folderId: folderIdField(),
    name: nameField(maxFolderName),
    expectedVersion: expectedVersionField(),
  }),
  output: z.strictObject({
    folder: z.strictObject({ id: z.string(), name: z.string(), revision: revisionTextSchema }),
  }),
  tx: 'write',
  example: { folderId: 1, name: 'Charts' },
  handler: async ({ db, caller, clock, input: { folderId, name, expectedVersion } }) => {
    await folderToChange({ db, caller, clock }, folderId, expectedVersion);
    const revision = await renameFolder(db, { clock }, { owner: ownerOf(caller), folderId, name });
    return { folder: { id: String(folderId), name, revision: String(revision) } };
  },
});
