import { z } from 'zod';
import { renameFile } from '#commands/library/files.ts';
import { fileIdField, maxFileName, nameField } from '#domain/library/names.ts';
import { libraryErrors } from './common/errors.ts';
import { ownFile, ownerOf } from './common/own.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, MISSING_NAME, INVALID_NAME, FILE_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFileRename',
  spec: ['2.5', '4.4'],
  summary: 'Renames a file or link of the user.',
  auth: 'jwt',
  devKey: 'library',
  dialect: 'flat',
  errors: { MISSING_FIELD, MISSING_NAME, INVALID_NAME, FILE_NOT_FOUND, READ_ONLY },
  input: z.object({ fileId: fileIdField(), name: nameField(maxFileName) }),
  output: z.strictObject({ file: z.strictObject({ id: z.string(), name: z.string() }) }),
  tx: 'write',
  example: { fileId: 1, name: 'EDDF ground.pdf' },
  handler: async ({ db, caller, clock, input: { fileId, name } }) => {
    await ownFile({ db, caller }, fileId);
    await renameFile(db, { clock }, { owner: ownerOf(caller), fileId, name });
    return { file: { id: String(fileId), name } };
  },
});
