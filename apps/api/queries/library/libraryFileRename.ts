import { z } from 'zod';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { fileIdField, maxFileName, nameField } from '#domain/library/names.ts';
import { revisionTextSchema } from '#domain/library/objects.ts';
import { libraryFileWrites } from '#store/postgres/library/files.ts';
import { fileConflict, fileToChange, libraryErrors } from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_FIELD, MISSING_NAME, INVALID_NAME, FILE_NOT_FOUND, READ_ONLY } = libraryErrors;

export default defineQuery({
  name: 'libraryFileRename',
  spec: ['2.5', '4.4'],
  summary: 'Renames a file or link of the user.',
  devKey: 'library',
  errors: { MISSING_FIELD, MISSING_NAME, INVALID_NAME, FILE_NOT_FOUND, READ_ONLY, ...fileConflict },
  input: z.strictObject({
    fileId: fileIdField(),
    name: nameField(maxFileName),
    expectedVersion: expectedVersionField(),
  }),
  output: z.strictObject({
    file: z.strictObject({ id: z.string(), name: z.string(), revision: revisionTextSchema }),
  }),
  tx: 'write',
  example: { fileId: 1, name: 'EDDF ground.pdf' },
  handler: async (ctx) => {
    const { fileId, name, expectedVersion } = ctx.input;
    const space = await fileToChange(ctx, fileId, expectedVersion);
    const stamp = await space.stamp();
    const revision = await libraryFileWrites(ctx.db).change(fileId, { name }, space.now, stamp);
    return { file: { id: String(fileId), name, revision: String(revision) } };
  },
});
