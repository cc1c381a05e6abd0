import { z } from 'zod';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { fileIdField, folderIdField } from '#domain/library/names.ts';
import { revisionTextSchema, textOrNull } from '#domain/library/objects.ts';
import { libraryFileWrites } from '#store/postgres/library/files.ts';
import { assertFolderForFiles, fileConflict, fileToChange, libraryErrors } from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, FILE_NOT_FOUND, FOLDER_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFileMove',
  spec: ['2.5', '4.4'],
  summary: 'Moves a file or link of the user to another folder, null for the root.',
  devKey: 'library',
  errors: { MISSING_FIELD, FILE_NOT_FOUND, FOLDER_NOT_FOUND, READ_ONLY, ...fileConflict },
  input: z.strictObject({
    fileId: fileIdField(),
    folderId: folderIdField().nullable(),
    expectedVersion: expectedVersionField(),
  }),
  output: z.strictObject({
    file: z.strictObject({ id: z.string(), folderId: z.string().nullable(), revision: revisionTextSchema }),
  }),
  tx: 'write',
  example: { fileId: 1, folderId: 2 },
  handler: async (ctx) => {
    const { fileId, folderId, expectedVersion } = ctx.input;
    const space = await fileToChange(ctx, fileId, expectedVersion);
    await assertFolderForFiles(ctx, folderId);
    const stamp = await space.stamp();
    const revision = await libraryFileWrites(ctx.db).change(fileId, { folderId }, space.now, stamp);
    return { file: { id: String(fileId), folderId: textOrNull(folderId), revision: String(revision) } };
  },
});
