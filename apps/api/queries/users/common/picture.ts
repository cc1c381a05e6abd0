/** Upload of a picture: the request waits until a worker has resized it. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { setPicture } from '#commands/users/accounts.ts';
import { pictureRepo, pictureWrites } from '#store/postgres/users/pictures.ts';
import type { UploadState } from '#store/postgres/users/pictures.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { inspect } from '#data/content/inspect-file.ts';
import { reasonOf } from '#data/content/source.ts';
import { DomainError } from '#domain/errors.ts';
import type { MediaType } from '#domain/library/media-types.ts';
import { pictureResize } from '#domain/jobs/picture-resize.ts';
import {
  maxPictureBytes,
  maxPicturePixels,
  pictureKey,
  pictureSlots,
  pictureTypes,
  pictureUrl,
} from '#domain/users/pictures.ts';
import type { PictureSlot } from '#domain/users/pictures.ts';
import type { Caller } from '#domain/users/types.ts';
import type { Tools, Transactions, UploadedFile } from '../../../handler-context.ts';
import { commonError, declaredError } from '../../../errors.ts';
import type { ApiError, ErrorTable } from '../../../errors.ts';
import type { Limit } from '../../../limits.ts';

const longestWaitMs = 20_000;
/** Poll interval in case a notification is missed (its connection may be down). */
const lookMs = 500;

export const pictureErrors = {
  MISSING_FILE: { status: 400, message: 'Send the picture as the form field "file".' },
  INVALID_IMAGE: { status: 400, message: 'This is not a complete picture of at most 50 megapixels.' },
  FILE_TOO_LARGE: { status: 413, message: 'A picture may have at most 5 MB.' },
  UNSUPPORTED_TYPE: { status: 415, message: 'The picture must be JPEG, PNG or WebP.' },
} as const satisfies ErrorTable;

export const pictureUploadRule = {
  maxBytes: maxPictureBytes,
  types: pictureTypes,
  tooLarge: 'FILE_TOO_LARGE',
  wrongType: 'UNSUPPORTED_TYPE',
} as const;

/** Decoding is the most expensive work that a user can request. */
export const pictureLimit: Limit = { name: 'pictures', points: 60, perSeconds: 3600, by: 'user' };

export const pictureOutputSchema = z.strictObject({ slot: z.enum(pictureSlots), url: z.url() });

interface PictureCall extends Pick<Tools, 'config' | 'jobs' | 'drawnSignals'> {
  db: ReadDb;
  /** A worker makes the change, once it has resized the picture. */
  prepare: Transactions;
  caller: Caller;
  file: UploadedFile | null;
  now: Date;
}

const outcomeOf = async (
  { db, drawnSignals }: PictureCall,
  id: string,
  waitMs: number,
): Promise<UploadState | null> => {
  const until = performance.now() + waitMs;
  for (let left = waitMs; left > 0; left = until - performance.now()) {
    // Listen before checking, so that an end in between is not missed.
    const announced = drawnSignals.wait(id, Math.min(lookMs, left));
    const state = await pictureRepo(db).stateOf(id);
    if (state !== 'waiting') return state;
    await announced;
  }
  return 'waiting';
};

const invalidImage = async ({ path, type }: UploadedFile): Promise<ApiError> => {
  const cannotBeDecoded = 'its picture cannot be decoded; save it again with another program';
  const reason = await inspect(path, type as MediaType, maxPicturePixels).then(
    () => cannotBeDecoded,
    reasonOf,
  );
  const message = `${pictureErrors.INVALID_IMAGE.message} Refused: ${reason}.`;
  return declaredError(pictureErrors, 'INVALID_IMAGE', { message });
};

/**
 * Replaces the picture with the received file. Throws MISSING_FILE, INVALID_IMAGE, or 503 when no worker has resized it in
 * time; then the previous picture remains.
 */
export const savePicture = async (
  call: PictureCall,
  slot: PictureSlot,
  waitMs = longestWaitMs,
): Promise<z.output<typeof pictureOutputSchema>> => {
  const { caller, file, jobs, now, prepare, config, db } = call;
  if (!file) throw new DomainError('MISSING_FILE');
  const { userId } = caller;
  const id = randomUUID();
  const content = await readFile(file.path);
  await prepare.transaction(async (tx) => {
    await pictureWrites(tx).add({ id, userId, slot, content }, now);
    await jobs.enqueue(tx, pictureResize, { uploadId: id });
  });
  let state = await outcomeOf(call, id, waitMs);
  if (state === 'waiting' && (await prepare.single((tx) => pictureWrites(tx).withdraw(id))) === 0)
    state = await pictureRepo(db).stateOf(id);
  if (state === 'refused') throw await invalidImage(file);
  if (state !== 'stored')
    throw commonError('SERVICE_UNAVAILABLE', {
      message: 'The picture could not be resized in time. Please try again shortly.',
      headers: { 'Retry-After': '5' },
    });
  return { slot, url: pictureUrl(config.BASE_URL, pictureKey(id), slot) };
};

/** Shows the neutral drawing again; idempotent. */
export const removePicture = async (
  { db, jobs, caller: { userId }, config }: Omit<PictureCall, 'db' | 'prepare'> & { db: Tx },
  slot: PictureSlot,
): Promise<z.output<typeof pictureOutputSchema>> => {
  await setPicture(db, { jobs }, { userId, slot, uploadId: null });
  return { slot, url: pictureUrl(config.BASE_URL, null, slot) };
};
