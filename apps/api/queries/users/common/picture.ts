/** Uploads a picture and resizes it during the call, on sharp's threads. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { setPicture } from '#commands/users/accounts.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { withNewFile } from '#store/storage/with-new-file.ts';
import { inspect } from '#data/content/inspect-file.ts';
import { resizePicture } from '#data/content/resize.ts';
import { reasonOf } from '#data/content/source.ts';
import { DomainError } from '#domain/errors.ts';
import type { MediaType } from '#domain/library/media-types.ts';
import {
  maxPictureBytes,
  maxPicturePixels,
  pictureBoxes,
  pictureKey,
  pictureSlots,
  pictureTypes,
  pictureUrl,
} from '#domain/users/pictures.ts';
import type { PictureSlot } from '#domain/users/pictures.ts';
import type { Needs, UploadedFile } from '../../../handler-context.ts';
import { declaredError } from '../../../errors.ts';
import type { ApiError, ErrorTable } from '../../../errors.ts';
import type { Limit } from '../../../limits.ts';
import { createTurns } from '../../../services/uploads.ts';

/**
 * Resizes one picture at a time per process, while the other uploads wait on disk: 50 megapixels take 250 MB, and block a
 * thread that file access and password hashing need, too.
 */
const turns = createTurns(1);

export const pictureErrors = {
  MISSING_FILE: { status: 400, message: 'Send the picture as the form field "file".' },
  INVALID_IMAGE: { status: 400, message: 'This is not a complete picture of at most 50 megapixels.' },
  FILE_TOO_LARGE: { status: 413, message: 'A picture may have at most 5 MB.' },
  UNSUPPORTED_TYPE: { status: 415, message: 'The picture must be JPEG, PNG or WebP.' },
} as const satisfies ErrorTable;

const uploadRule = {
  maxBytes: maxPictureBytes,
  types: pictureTypes,
  tooLarge: 'FILE_TOO_LARGE',
  wrongType: 'UNSUPPORTED_TYPE',
} as const;

/** Decoding a picture is the most expensive work that a user can request. */
const pictureLimit: Limit = { name: 'pictures', points: 60, perSeconds: 3600, by: 'user' };

const outputSchema = z.strictObject({ slot: z.enum(pictureSlots), url: z.url() });

/** Declarations shared by the uploads. */
export const pictureUpload = {
  spec: ['2.7', '4.6'],
  limits: [pictureLimit],
  upload: uploadRule,
  errors: pictureErrors,
  output: outputSchema,
  // The file is resized and stored before the transaction.
  tx: 'manual',
} as const;

export const pictureRemoval = {
  spec: ['2.7', '4.6'],
  output: outputSchema,
  tx: 'write',
} as const;

const invalidImage = async ({ path, type }: UploadedFile): Promise<ApiError> => {
  const cannotBeDecoded = 'its picture cannot be decoded; save it again with another program';
  const reason = await inspect(path, type as MediaType, maxPicturePixels).then(
    () => cannotBeDecoded,
    reasonOf,
  );
  const message = `${pictureErrors.INVALID_IMAGE.message} Refused: ${reason}.`;
  return declaredError(pictureErrors, 'INVALID_IMAGE', { message });
};

const resized = async (file: UploadedFile, slot: PictureSlot): Promise<Buffer> => {
  const leave = await turns.enter();
  try {
    const bytes = await resizePicture(await readFile(file.path), pictureBoxes[slot]);
    if (!bytes) throw await invalidImage(file);
    return bytes;
  } finally {
    leave();
  }
};

/**
 * Replaces the picture with the uploaded file. Throws MISSING_FILE and INVALID_IMAGE; the previous picture then stays.
 */
export const savePicture = async (
  call: Needs<
    'config' | 'clock' | 'jobs' | 'storage' | 'log' | 'prepare' | 'transaction' | 'caller' | 'file'
  >,
  slot: PictureSlot,
): Promise<z.output<typeof outputSchema>> => {
  const { caller, file, jobs, storage, config } = call;
  if (!file) throw new DomainError('MISSING_FILE');
  const bytes = await resized(file, slot);
  const key = pictureKey(randomUUID());
  await withNewFile(
    { ...call, log: call.log() },
    {
      key,
      put: () => storage.put(key, bytes, 'image/jpeg'),
      refer: (tx) => setPicture(tx, { jobs }, { userId: caller.userId, slot, key }),
    },
  );
  return { slot, url: pictureUrl(config.BASE_URL, key, slot) };
};

/** Restores the neutral drawing; idempotent. */
export const removePicture = async (
  { db, jobs, caller: { userId }, config }: Needs<'jobs' | 'caller' | 'config'> & { db: Tx },
  slot: PictureSlot,
): Promise<z.output<typeof outputSchema>> => {
  await setPicture(db, { jobs }, { userId, slot, key: null });
  return { slot, url: pictureUrl(config.BASE_URL, null, slot) };
};
