import { z } from 'zod';
import { moveFile } from '#commands/library.ts';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { fileIdField, folderIdField } from '#domain/library/names.ts';
import { revisionTextSchema, textOrNull } from '#domain/library/objects.ts';
import {
  assertFolderForFiles,
  fileConflict,
  fileToChange,
  libraryErrors,
  ownerOf,
} from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, FILE_NOT_FOUND, FOLDER_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFileMove',
  spec: ['2.5', '4.4'],
  summary: 'Moves a file or link of the user to another folder, null for the root.',
  auth: 'jwt',
  devKey: 'library',
  dialect: 'flat',
  errors: { MISSING_FIELD, FILE_NOT_FOUND, FOLDER_NOT_FOUND, READ_ONLY, ...fileConflict },
  input: z.object({
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
    const { db, caller, clock, input } = ctx;
    const { fileId, folderId } = input;
    await fileToChange(ctx, fileId, input.expectedVersion);
    await assertFolderForFiles({ db, caller }, folderId);
    const revision = await moveFile(db, { clock }, { owner: ownerOf(caller), fileId, folderId });
    return { file: { id: String(fileId), folderId: textOrNull(folderId), revision: String(revision) } };
  },
});
