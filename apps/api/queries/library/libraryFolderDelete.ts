import { z } from 'zod';
import { deleteFiles } from '#commands/files.ts';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { folderIdField } from '#domain/library/names.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import { libraryFolderWrites } from '#store/postgres/library/folders.ts';
import { librarySpaceWrites } from '#store/postgres/library/spaces.ts';
import { folderConflict, folderToChange, libraryErrors } from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, FOLDER_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFolderDelete',
  spec: ['2.5', '4.4'],
  summary: 'Permanently deletes a folder of the user with everything in it.',
  devKey: 'library',
  errors: {
    MISSING_FIELD,
    FOLDER_NOT_FOUND,
    READ_ONLY,
    ...folderConflict,
    FOLDER_NOT_EMPTY: { status: 409, message: 'The folder is not empty.' },
  },
  input: z.strictObject({
    folderId: folderIdField(),
    expectedVersion: expectedVersionField(),
    ifNotEmpty: z
      .enum(['delete', 'refuse'], 'INVALID_FIELD')
      .nullish()
      .describe('if the folder has contents: `delete` them too (default), or `refuse` with FOLDER_NOT_EMPTY'),
  }),
  output: z.strictObject({ deletedFolderIds: z.array(z.int()), ...ignoredField }),
  tx: 'write',
  example: { folderId: 1 },
  handler: async (ctx) => {
    const { db, input, fail } = ctx;
    const { folderId, expectedVersion, ifNotEmpty } = input;
    const { id, now, stamp } = await folderToChange(ctx, folderId, expectedVersion);
    if (ifNotEmpty === 'refuse' && !(await libraryEntryRepo(db).isFolderEmpty(folderId)))
      throw fail('FOLDER_NOT_EMPTY');
    const deleted = await libraryFolderWrites(db).deleteTree(folderId, id, now, await stamp());
    if (deleted.freedBytes > 0) await librarySpaceWrites(db).addBytes(id, -deleted.freedBytes);
    await deleteFiles(db, ctx, { keys: deleted.keys });
    return { deletedFolderIds: deleted.folderIds };
  },
});
