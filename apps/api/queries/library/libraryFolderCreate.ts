import { z } from 'zod';
import { createFolder } from '#commands/library/folders.ts';
import { folderIdField, maxFolderName, minProductLevelField, nameField } from '#domain/library/names.ts';
import { ownerTypes, revisionTextSchema, textOrNull } from '#domain/library/objects.ts';
import { libraryErrors } from './common/errors.ts';
import { ownFolder, ownerOf } from './common/own.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_NAME, INVALID_NAME, INVALID_FIELD, FOLDER_NOT_FOUND, READ_ONLY, LIBRARY_FULL } =
  libraryErrors;

export default defineQuery({
  name: 'libraryFolderCreate',
  spec: ['2.5', '4.4'],
  summary: 'Creates a folder in the library of the user.',
  auth: 'jwt',
  devKey: 'library',
  dialect: 'flat',
  errors: { MISSING_NAME, INVALID_NAME, INVALID_FIELD, FOLDER_NOT_FOUND, READ_ONLY, LIBRARY_FULL },
  input: z.object({
    name: nameField(maxFolderName),
    parentId: folderIdField().nullish(),
    minProductLevel: minProductLevelField().default(0),
  }),
  output: z.strictObject({
    folder: z.strictObject({
      id: z.string(),
      parentId: z.string().nullable(),
      name: z.string(),
      ownerType: z.enum(ownerTypes),
      ownerId: z.string().nullable(),
      revision: revisionTextSchema,
    }),
  }),
  tx: 'write',
  example: { name: 'Charts', parentId: null },
  handler: async ({ db, caller, clock, input }) => {
    const { name, minProductLevel, parentId = null } = input;
    if (parentId !== null) await ownFolder({ db, caller }, parentId);
    const owner = ownerOf(caller);
    const { id, revision } = await createFolder(db, { clock }, { owner, name, parentId, minProductLevel });
    return {
      folder: {
        id: String(id),
        parentId: textOrNull(parentId),
        name,
        ownerType: 'user' as const,
        ownerId: String(caller.userId),
        revision: String(revision),
      },
    };
  },
});
