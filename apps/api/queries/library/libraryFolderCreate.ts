import { z } from 'zod';
import { createFolder } from '#commands/library.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import { alreadyField, clientIdField } from '#domain/fields/client-id.ts';
import { folderIdField, maxFolderName, minProductLevelField, nameField } from '#domain/library/names.ts';
import { ownerTypes, revisionTextSchema, textOrNull } from '#domain/library/objects.ts';
import type { LibraryFolder } from '#domain/library/objects.ts';
import { viewOf } from '#domain/library/space.ts';
import type { Caller } from '#domain/users/types.ts';
import { libraryErrors, ownFolder, ownerOf } from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_NAME, INVALID_NAME, INVALID_FIELD, FOLDER_NOT_FOUND, READ_ONLY, LIBRARY_FULL } =
  libraryErrors;

const createdView = (
  { id, parentId, name, revision }: Pick<LibraryFolder, 'id' | 'parentId' | 'name' | 'revision'>,
  { userId }: Caller,
) => ({
  id: String(id),
  parentId: textOrNull(parentId),
  name,
  ownerType: 'user' as const,
  ownerId: String(userId),
  revision: String(revision),
});

export default defineQuery({
  name: 'libraryFolderCreate',
  spec: ['2.5', '4.4'],
  summary: "Creates a folder in the user's library.",
  devKey: 'library',
  errors: { MISSING_NAME, INVALID_NAME, INVALID_FIELD, FOLDER_NOT_FOUND, READ_ONLY, LIBRARY_FULL },
  input: z.strictObject({
    name: nameField(maxFolderName),
    parentId: folderIdField().nullish(),
    minProductLevel: minProductLevelField().default(0),
    clientId: clientIdField(),
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
    ...alreadyField,
  }),
  tx: 'write',
  example: { name: 'Charts', parentId: null },
  creates: {
    kind: 'libraryFolder',
    edits: [],
    again: async ({ db, caller, rowId }) => {
      const found = await libraryEntryRepo(db).folder(Number(rowId), caller.userId, viewOf(caller));
      return found && { folder: createdView(found, caller) };
    },
  },
  handler: async ({ db, caller, clock, input, created }) => {
    const { name, minProductLevel, parentId = null } = input;
    if (parentId !== null) await ownFolder({ db, caller }, parentId);
    const owner = ownerOf(caller);
    const { id, revision } = await createFolder(db, { clock }, { owner, name, parentId, minProductLevel });
    await created?.(db, id);
    return { folder: createdView({ id, parentId, name, revision }, caller) };
  },
});
