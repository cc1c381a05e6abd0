import { z } from 'zod';
import { fileObject, fileObjectSchema, folderObject, folderObjectSchema } from '#domain/library/objects.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import { lockSpace } from '#commands/library.ts';
import type { OpenSpace } from '#commands/library.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { assertExpected } from '#domain/fields/revision.ts';
import type { LibraryFile, LibraryFolder } from '#domain/library/objects.ts';
import { assertTakesFiles, ownEntry } from '#domain/library/rules.ts';
import { viewOf } from '#domain/library/space.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import type { Caller } from '#domain/users/types.ts';
import { idField, listField } from '#domain/fields/index.ts';
import type { ErrorTable } from '../../../errors.ts';
import type { Needs } from '../../../handler-context.ts';

/** Errors of the library (G-09); each operation declares those that it returns. */
export const libraryErrors = {
  MISSING_FIELD: 400,
  MISSING_NAME: { status: 400, message: 'The name is missing.' },
  INVALID_NAME: {
    status: 400,
    message: 'The name is too long or contains characters that no file name may have.',
  },
  INVALID_FIELD: 400,
  FOLDER_NOT_FOUND: { status: 404, message: 'There is no such folder.' },
  FILE_NOT_FOUND: { status: 404, message: 'There is no such file.' },
  READ_ONLY: { status: 403, message: 'Items of the service or of an airline are read-only.' },
  LIBRARY_FULL: {
    status: 409,
    message: 'The library has {maxEntries} entries of this kind already.',
    extra: z.strictObject({ maxEntries: z.int() }),
  },
} as const satisfies ErrorTable;

const conflictOf = <Entry extends z.ZodType>(current: Entry) =>
  ({
    INVALID_FIELD: 400,
    VERSION_CONFLICT: {
      status: 409,
      message: 'Another revision of this entry is stored. Take it over, or try again with its revision.',
      extra: z.strictObject({ current }),
    },
  }) as const satisfies ErrorTable;

export const folderConflict = conflictOf(folderObjectSchema);
export const fileConflict = conflictOf(fileObjectSchema.nullable());

/** Errors of resumable uploads. */
export const resumableErrors = {
  UPLOAD_NOT_FOUND: { status: 404, message: 'There is no such upload, or it was not finished in time.' },
  UPLOAD_INCOMPLETE: {
    status: 409,
    message: 'The upload is incomplete. Continue it.',
    extra: z.strictObject({ offset: z.int(), bytes: z.int() }),
  },
  UPLOAD_DAMAGED: {
    status: 422,
    message: 'The uploaded bytes do not match the SHA-256 given at the start of the upload. Start again.',
  },
  TOO_MANY_UPLOADS: {
    status: 409,
    message: 'Too many uploads are unfinished. Finish one, or wait for a day.',
  },
} as const satisfies ErrorTable;

export const uploadErrors = {
  MISSING_FILE_OR_URL: {
    status: 400,
    message: 'Send a file as the form field "file", or a link as data.url.',
  },
  INVALID_URL: {
    status: 400,
    message: 'The link must be the page or the short link of a video on a known site.',
  },
  UNSUPPORTED_TYPE: { status: 415, message: 'The file must be a complete PDF, JPG, PNG, GIF, WebP or SVG.' },
  STORAGE_NOT_INCLUDED: { status: 403, message: 'Your subscription includes no library storage.' },
  QUOTA_EXCEEDED: {
    status: 413,
    message: 'The file does not fit into your library.',
    extra: z.strictObject({ usedBytes: z.int(), quotaMb: z.int(), fileBytes: z.int() }),
  },
  FILE_TOO_LARGE: {
    status: 413,
    message: 'A file may have at most {maxMb} MB.',
    extra: z.strictObject({ maxMb: z.number() }),
  },
} as const satisfies ErrorTable;

// The entries named in a call, if the user may see them.

type LibraryCall = Needs<'db' | 'caller'>;

export const ownerOf = ({ userId }: Caller): LibraryOwner => ({ type: 'user', userId });

/** Throws FOLDER_NOT_FOUND if the user cannot see it, READ_ONLY if it belongs to others. */
export const ownFolder = async ({ db, caller }: LibraryCall, id: number): Promise<LibraryFolder> =>
  ownEntry(await libraryEntryRepo(db).folder(id, caller.userId, viewOf(caller)), 'FOLDER_NOT_FOUND');

/** Throws FILE_NOT_FOUND if the user cannot see it, READ_ONLY if it belongs to others. */
export const ownFile = async ({ db, caller }: LibraryCall, id: number): Promise<LibraryFile> =>
  ownEntry(await libraryEntryRepo(db).file(id, caller.userId, viewOf(caller)), 'FILE_NOT_FOUND');

/** Throws FOLDER_NOT_FOUND, or READ_ONLY for a folder in which the user may not store files. */
export const assertFolderForFiles = async (
  { db, caller }: LibraryCall,
  id: number | null | undefined,
): Promise<void> => {
  if (id === null || id === undefined) return;
  assertTakesFiles(await libraryEntryRepo(db).folder(id, caller.userId, viewOf(caller)));
};

interface LibraryChange extends Needs<'caller' | 'clock' | 'downloadLinks'> {
  db: Tx;
}

/** Locks a folder of the caller until the commit. Also throws VERSION_CONFLICT with `current`. */
export const folderToChange = async (
  { db, caller, clock }: Omit<LibraryChange, 'downloadLinks'>,
  id: number,
  expectedVersion: number | undefined,
): Promise<OpenSpace> => {
  const space = await lockSpace(db, { clock }, { owner: ownerOf(caller) });
  const found = await ownFolder({ db, caller }, id);
  assertExpected(expectedVersion, found, (folder) => folderObject(folder, false));
  return space;
};

/** Locks a file or link. */
export const fileToChange = async (
  { db, caller, clock, downloadLinks }: LibraryChange,
  id: number,
  expectedVersion: number | undefined,
): Promise<OpenSpace> => {
  const space = await lockSpace(db, { clock }, { owner: ownerOf(caller) });
  const found = await ownFile({ db, caller }, id);
  assertExpected(expectedVersion, found, (file) => fileObject(file, downloadLinks.to(caller)));
  return space;
};

// New download links for unchanged files, since the links in a sync are valid for an hour.

/** Per call. */
const maxLinks = 500;

export const linksField = () => listField(idField(), { max: maxLinks }).nullish();

export const linksSchema = z
  .array(z.strictObject({ id: z.string(), version: z.string(), downloadUrl: z.url() }))
  .optional()
  .describe('new download links for those files in `links` that the user can see and that are downloadable');

/** Empty if none are requested. */
export const renewedLinks = async (
  ids: readonly number[] | null | undefined,
  { db, caller, downloadLinks }: Needs<'db' | 'caller' | 'downloadLinks'>,
): Promise<{ links?: z.input<typeof linksSchema> }> => {
  if (!ids) return {};
  const linkTo = downloadLinks.to(caller);
  const files = await libraryEntryRepo(db).downloads(ids, caller.userId, viewOf(caller));
  return {
    links: files.map((file) => ({
      id: String(file.id),
      version: String(file.version),
      downloadUrl: linkTo(file),
    })),
  };
};
