import { z } from 'zod';
import { fileObjectSchema, folderObjectSchema } from '#domain/library/objects.ts';
import type { ErrorTable } from '../../../errors.ts';

/** Errors of the library (G-09); an operation declares those that it answers. */
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
  READ_ONLY: { status: 403, message: 'What belongs to the service or to an airline is read-only.' },
  LIBRARY_FULL: {
    status: 409,
    message: 'The library has {maxEntries} entries of this kind already.',
    extra: z.strictObject({ maxEntries: z.int() }),
  },
} as const satisfies ErrorTable;

const conflict = 'Another revision of this entry is stored. Take it over, or try again with its revision.';

export const folderConflict = {
  INVALID_FIELD: 400,
  VERSION_CONFLICT: {
    status: 409,
    message: conflict,
    extra: z.strictObject({ current: folderObjectSchema }),
  },
} as const satisfies ErrorTable;

export const fileConflict = {
  INVALID_FIELD: 400,
  VERSION_CONFLICT: {
    status: 409,
    message: conflict,
    extra: z.strictObject({ current: fileObjectSchema.nullable() }),
  },
} as const satisfies ErrorTable;

/** Of files that arrive in pieces. */
export const resumableErrors = {
  UPLOAD_NOT_FOUND: { status: 404, message: 'There is no such upload, or it was not finished in time.' },
  UPLOAD_INCOMPLETE: {
    status: 409,
    message: 'Not all bytes of the upload have arrived. Go on with it.',
    extra: z.strictObject({ offset: z.int(), bytes: z.int() }),
  },
  UPLOAD_DAMAGED: {
    status: 422,
    message: 'What has arrived does not have the SHA-256 with which the upload was begun. Begin again.',
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
