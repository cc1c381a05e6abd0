import { z } from 'zod';
import { lockSpace, saveFile } from '#commands/library.ts';
import type { SavedFile } from '#commands/library.ts';
import { librarySpaceRepo } from '#store/postgres/library/spaces.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { alreadyField, clientIdField } from '#domain/fields/client-id.ts';
import { assertExpected, expectedVersionField } from '#domain/fields/revision.ts';
import { resumableUploadWrites } from '#store/postgres/library/resumable-uploads.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import { linkedContent, storedContent } from '#store/postgres/library/files.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { withNewFile } from '#store/storage/with-new-file.ts';
import { mediaTypeNames } from '#domain/library/media-types.ts';
import {
  fileIdField,
  folderIdField,
  maxFileName,
  maybeNameField,
  minProductLevelField,
  nameOfFile,
} from '#domain/library/names.ts';
import { assertStorage, overQuota, remainingBytes } from '#domain/library/rules.ts';
import { fileObject, revisionTextSchema } from '#domain/library/objects.ts';
import type { LibraryFile } from '#domain/library/objects.ts';
import { viewOf } from '#domain/library/space.ts';
import { defaultVideoTitle, videoLink } from '#domain/library/video-links.ts';
import {
  assertFolderForFiles,
  fileConflict,
  libraryErrors,
  ownFile,
  ownerOf,
  resumableErrors,
  uploadErrors,
} from './common/library.ts';
import { defineQuery } from '../../define.ts';
import { commonError } from '../../errors.ts';

const { INVALID_NAME, FOLDER_NOT_FOUND, FILE_NOT_FOUND, READ_ONLY, LIBRARY_FULL } = libraryErrors;
const { TOO_MANY_UPLOADS: _, ...ofResumables } = resumableErrors;

const uploaded = (what: string, { id, version, revision, isReplaced }: SavedFile) => ({
  message: `${what} ${isReplaced ? 'replaced' : 'added'}.`,
  fileId: String(id),
  version: String(version),
  revision: String(revision),
});

/** Empty for links. */
const contentView = ({
  name,
  fileSize: size,
  mimeType,
  storageKey: path,
}: Pick<LibraryFile, 'name' | 'fileSize' | 'mimeType' | 'storageKey'>) =>
  mimeType === null || path === null ? {} : { file: { name, size, mimeType, path } };

export default defineQuery({
  name: 'libraryUpload',
  spec: ['2.5', '4.4'],
  summary:
    'Adds a PDF, a picture or a video link, or replaces the content of one (fileId, or replace with the same name).',
  devKey: 'library',
  upload: {
    maxBytes: 'LIBRARY_MAX_UPLOAD_MB',
    types: mediaTypeNames,
    tooLarge: 'FILE_TOO_LARGE',
    wrongType: 'UNSUPPORTED_TYPE',
    isInspected: true,
    isResumable: true,
  },
  errors: {
    ...uploadErrors,
    ...ofResumables,
    ...fileConflict,
    INVALID_NAME,
    FOLDER_NOT_FOUND,
    FILE_NOT_FOUND,
    READ_ONLY,
    LIBRARY_FULL,
  },
  input: z.strictObject({
    url: z.string('INVALID_URL').trim().max(2_048, 'INVALID_URL').nullish(),
    uploadId: z
      .uuid('UPLOAD_NOT_FOUND')
      .nullish()
      .describe('id from libraryUploadBegin of a completed upload, sent instead of a file'),
    name: maybeNameField(maxFileName),
    folderId: folderIdField().nullish(),
    minProductLevel: minProductLevelField().nullish(),
    fileId: fileIdField().nullish(),
    replace: z.boolean('INVALID_FIELD').default(false),
    clientId: clientIdField(),
    expectedVersion: expectedVersionField(),
  }),
  output: z.strictObject({
    message: z.string(),
    /** Id of the created or replaced entry. */
    fileId: z.string(),
    version: z.string(),
    revision: revisionTextSchema,
    /** Absent for links. */
    file: z
      .strictObject({ name: z.string(), size: z.int(), mimeType: z.string(), path: z.string() })
      .optional(),
    ...alreadyField,
    ...ignoredField,
  }),
  // The file is stored before the transaction.
  tx: 'manual',
  example: { url: 'https://youtu.be/dQw4w9WgXcQ', name: 'Cold and dark' },
  beforeFile: async ({ db, caller, input: { url, fileId, folderId, replace } }) => {
    if (url) throw commonError('INVALID_INPUT', { details: ['url: cannot be sent together with a file'] });
    const { libraryQuotaMb: quotaMb } = caller.entitlement.product;
    assertStorage(quotaMb);
    await assertFolderForFiles({ db, caller }, folderId);
    const replaced = fileId ? await ownFile({ db, caller }, fileId) : null;
    const usedBytes = await librarySpaceRepo(db).usedBytes(ownerOf(caller));
    // The file replaced by name is only known with the new name; it is one of those stored.
    const replacedBytes = replaced ? replaced.fileSize : replace ? usedBytes : 0;
    return {
      bytes: remainingBytes(usedBytes, quotaMb, replacedBytes),
      quotaExceeded: (fileBytes) => overQuota(usedBytes, quotaMb, fileBytes),
    };
  },
  creates: {
    kind: 'libraryFile',
    edits: ['fileId'],
    again: async ({ db, caller, rowId }) => {
      const found = await libraryEntryRepo(db).file(Number(rowId), caller.userId, viewOf(caller));
      return found && { ...uploaded('Entry', { ...found, isReplaced: false }), ...contentView(found) };
    },
  },
  handler: async (ctx) => {
    const { input, caller, db, file, fail, transaction, jobs, clock, storage, created } = ctx;
    const { url, uploadId, name, folderId, minProductLevel, fileId, replace } = input;
    if (!file && uploadId) throw fail('UPLOAD_NOT_FOUND');
    if (!file && !url) throw fail('MISSING_FILE_OR_URL');
    // The check made before the upload was received may no longer hold.
    await assertFolderForFiles({ db, caller }, folderId);
    if (fileId) await ownFile({ db, caller }, fileId);
    const link = url ? videoLink(url) : null;
    const content = file ? storedContent(file) : link ? linkedContent(link) : null;
    if (!content) throw fail('INVALID_URL');
    const defaultName = file ? nameOfFile(file.name) : link ? defaultVideoTitle(link) : '';
    const entry = {
      owner: ownerOf(caller),
      quotaMb: caller.entitlement.product.libraryQuotaMb,
      content,
      name,
      defaultName,
      folderId,
      minProductLevel,
      fileId,
      isReplacing: replace,
    };
    const save = async (tx: Tx) => {
      const named = () => libraryEntryRepo(tx).fileByName(entry.owner, folderId ?? null, name ?? defaultName);
      const { expectedVersion } = input;
      if (expectedVersion !== undefined) {
        await lockSpace(tx, { clock }, { owner: entry.owner });
        const found = fileId ? await ownFile({ db: tx, caller }, fileId) : replace ? await named() : null;
        assertExpected(expectedVersion, found, (stored) => fileObject(stored, ctx.downloadLinks.to(caller)));
      }
      const saved = await saveFile(tx, { clock, jobs }, entry);
      await created?.(tx, saved.id);
      if (uploadId) await resumableUploadWrites(tx).finish(uploadId, ctx.now);
      return saved;
    };
    const { storageKey: key, mimeType } = content;
    if (!file || key === null || mimeType === null) {
      const saved = await transaction(save);
      return uploaded('Link', saved);
    }
    const put = () => storage.putFile(key, file.path, mimeType);
    const saved = await withNewFile({ ...ctx, log: ctx.log() }, { key, put, refer: save });
    return { ...uploaded('File', saved), ...contentView({ ...content, name: saved.name }) };
  },
});
