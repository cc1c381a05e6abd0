import { z } from 'zod';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { folderIdField, maxFolderName, nameField } from '#domain/library/names.ts';
import { revisionTextSchema } from '#domain/library/objects.ts';
import { libraryFolderWrites } from '#store/postgres/library/folders.ts';
import { folderConflict, folderToChange, libraryErrors } from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_NAME, INVALID_NAME, MISSING_FIELD, FOLDER_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFolderRename',
  spec: ['2.5', '4.4'],
  summary: 'Renames a folder of the user.',
  devKey: 'library',
  errors: { MISSING_FIELD, MISSING_NAME, INVALID_NAME, FOLDER_NOT_FOUND, READ_ONLY, ...folderConflict },
  input: z.strictObject({
    folderId: folderIdField(),
    name: nameField(maxFolderName),
    expectedVersion: expectedVersionField(),
  }),
  output: z.strictObject({
    folder: z.strictObject({ id: z.string(), name: z.string(), revision: revisionTextSchema }),
  }),
  tx: 'write',
  example: { folderId: 1, name: 'Charts' },
  handler: async (ctx) => {
    const { folderId, name, expectedVersion } = ctx.input;
    const space = await folderToChange(ctx, folderId, expectedVersion);
    const stamp = await space.stamp();
    const revision = await libraryFolderWrites(ctx.db).rename(folderId, name, space.now, stamp);
    return { folder: { id: String(folderId), name, revision: String(revision) } };
  },
});
