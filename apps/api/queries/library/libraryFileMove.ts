import { z } from 'zod';
import { moveFile } from '#commands/library/files.ts';
import { fileIdField, folderIdField } from '#domain/library/names.ts';
import { textOrNull } from '#domain/library/objects.ts';
import { libraryErrors } from './common/errors.ts';
import { assertFolderForFiles, ownFile, ownerOf } from './common/own.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, FILE_NOT_FOUND, FOLDER_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFileMove',
  spec: ['2.5', '4.4'],
  summary: 'Moves a file or link of the user to another folder, null for the root.',
  auth: 'jwt',
  devKey: 'library',
  dialect: 'flat',
  errors: { MISSING_FIELD, FILE_NOT_FOUND, FOLDER_NOT_FOUND, READ_ONLY },
  input: z.object({ fileId: fileIdField(), folderId: folderIdField().nullable() }),
  output: z.strictObject({ file: z.strictObject({ id: z.string(), folderId: z.string().nullable() }) }),
  tx: 'write',
  example: { fileId: 1, folderId: 2 },
  handler: async ({ db, caller, clock, input: { fileId, folderId } }) => {
    await ownFile({ db, caller }, fileId);
    await assertFolderForFiles({ db, caller }, folderId);
    await moveFile(db, { clock }, { owner: ownerOf(caller), fileId, folderId });
    return { file: { id: String(fileId), folderId: textOrNull(folderId) } };
  },
});
