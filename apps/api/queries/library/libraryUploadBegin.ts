import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { lockSpace } from '#commands/library.ts';
import { resumableUploadRepo, resumableUploadWrites } from '#store/postgres/library/resumable-uploads.ts';
import { bytesPerMb } from '#domain/library/space.ts';
import { requiredTextField } from '#domain/fields/text.ts';
import { fileIdField, maxFileName, nameField } from '#domain/library/names.ts';
import { revisionTextSchema } from '#domain/library/objects.ts';
import { assertStorage, overQuota, remainingBytes } from '#domain/library/rules.ts';
import { libraryErrors, ownFile, ownerOf, resumableErrors, uploadErrors } from './common/library.ts';
import { defineQuery } from '../../define.ts';

const { MISSING_NAME, MISSING_FIELD, INVALID_FIELD, INVALID_NAME, FILE_NOT_FOUND, READ_ONLY } = libraryErrors;
const { STORAGE_NOT_INCLUDED, QUOTA_EXCEEDED, FILE_TOO_LARGE } = uploadErrors;
const maxOpen = 20;

export default defineQuery({
  name: 'libraryUploadBegin',
  spec: ['2.5', '4.4'],
  summary:
    'Starts a resumable upload: the bytes follow by the tus protocol, then libraryUpload with its id. If the SHA-256 matches the content of the file, nothing has to be sent.',
  devKey: 'library',
  errors: {
    MISSING_NAME,
    MISSING_FIELD,
    INVALID_FIELD,
    INVALID_NAME,
    FILE_NOT_FOUND,
    READ_ONLY,
    STORAGE_NOT_INCLUDED,
    QUOTA_EXCEEDED,
    FILE_TOO_LARGE,
    TOO_MANY_UPLOADS: resumableErrors.TOO_MANY_UPLOADS,
  },
  input: z.strictObject({
    name: nameField(maxFileName).describe('name of the file'),
    bytes: z.int('INVALID_FIELD').min(1, 'INVALID_FIELD').describe('size of the whole file'),
    sha256: requiredTextField(64, { invalid: 'INVALID_FIELD' })
      .regex(/^[0-9a-f]{64}$/, 'INVALID_FIELD')
      .describe('SHA-256 of the whole file, in hex; the uploaded content must match it'),
    fileId: fileIdField()
      .nullish()
      .describe(
        'file whose content will be replaced; if it already has this content, the answer has `unchanged`',
      ),
  }),
  output: z.strictObject({
    upload: z
      .strictObject({
        uploadId: z.string(),
        path: z
          .string()
          .describe("path on this service for tus 1.0.0 PATCH and HEAD requests, sent with the user's token"),
      })
      .nullable()
      .describe('the upload; null when nothing has to be sent'),
    unchanged: z
      .strictObject({ fileId: z.string(), version: z.string(), revision: revisionTextSchema })
      .optional()
      .describe('the file that already has this content'),
  }),
  tx: 'write',
  example: {
    name: 'Manual.pdf',
    bytes: 8_388_608,
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  handler: async ({ input, caller, clock, db, config, fail, now }) => {
    const { name, bytes, sha256, fileId } = input;
    const replaced = fileId ? await ownFile({ db, caller }, fileId) : null;
    if (replaced?.fileHash === sha256) {
      const { id, version, revision } = replaced;
      const unchanged = { fileId: String(id), version: String(version), revision: String(revision) };
      return { upload: null, unchanged };
    }
    const maxMb = config.LIBRARY_MAX_UPLOAD_MB;
    if (bytes > maxMb * bytesPerMb) throw fail('FILE_TOO_LARGE', { extra: { maxMb } });
    const { libraryQuotaMb: quotaMb } = caller.entitlement.product;
    assertStorage(quotaMb);
    // Counts other uploads that begin now.
    const { usedBytes } = await lockSpace(db, { clock }, { owner: ownerOf(caller) });
    const open = await resumableUploadRepo(db).open(caller.userId);
    if (open.count >= maxOpen) throw fail('TOO_MANY_UPLOADS');
    if (open.bytes + bytes > remainingBytes(usedBytes, quotaMb, replaced?.fileSize ?? 0))
      throw overQuota(usedBytes + open.bytes, quotaMb, bytes);
    const id = randomUUID();
    await resumableUploadWrites(db).begin({ id, name, bytes, sha256 }, caller.userId, now);
    return { upload: { uploadId: id, path: `/api/uploads/${id}` } };
  },
});
