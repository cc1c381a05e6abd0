import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '#data/context.ts';
import { contentType, sampleBytes, inspect } from '#data/content/inspect-file.ts';
import { ContentError } from '#data/content/source.ts';
import { withStorageUnavailability } from '#platform/files/unavailable.ts';
import { isMediaType } from '#domain/library/media-types.ts';
import { bytesPerMb } from '#domain/library/space.ts';
import { resumableUploadRepo, resumableUploadWrites } from '#store/postgres/library/resumable-uploads.ts';
import { clientIdRepo, idempotencyRepo } from '#store/postgres/requests/repeats.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import type { Pieces } from '#store/storage/pieces.ts';
import { addSeconds } from '#domain/time.ts';
import type { Call } from '../call.ts';
import type { UploadRule } from '../handler-context.ts';
import { ApiError, declaredError, errorEntry } from '../errors.ts';
import { headerOf } from '../call.ts';
import type { Registered } from '../registry.ts';
import { creationOf, keyOf } from '../stages/run.ts';
import { uploadFolder } from '#store/storage/pieces.ts';
import { sweepFiles } from '#store/storage/sweep.ts';
import { isRecord } from '#domain/record.ts';

/** Text formats have no magic bytes: JSON starts with a bracket, XML with a tag; undefined for anything else. */
const textTypeOf = (start: Buffer): string | undefined => {
  const first = /^\uFEFF?\s*([{["<])/.exec(start.toString('utf8'))?.[1];
  if (first === undefined) return undefined;
  return first === '<' ? 'application/xml' : 'application/json';
};

interface UploadOptions {
  path: string;
  /** File name given by the client. */
  name: string;
  call: Call;
  /** Runs the stages before the handler; throws when the call may not send this file. */
  accept: () => Promise<void>;
  /** Called with the first failure, before the stream ends. */
  failed: (error: unknown) => void;
}

interface UploadParts extends Pick<Context, 'config' | 'clock' | 'log' | 'postgres'> {
  pieces: Pieces;
}

const ruleOf = ({ operation }: Call): UploadRule => {
  if (!operation?.upload) throw new Error('no upload was accepted');
  return operation.upload;
};

const maxBytesOf = (call: Call): number => {
  const { maxBytes } = ruleOf(call);
  return typeof maxBytes === 'number' ? maxBytes : call.tools.config[maxBytes] * bytesPerMb;
};

/** Content-Length of the form; without one, the maximum size of its file. */
export const announcedBytes = (call: Call): number =>
  Number(headerOf(call, 'content-length') ?? maxBytesOf(call));

const tooLarge = (call: Call): ApiError => {
  const errors = call.operation?.errors ?? {};
  const { tooLarge: code } = ruleOf(call);
  const maxBytes = maxBytesOf(call);
  return declaredError(errors, code, {
    ...(errorEntry(errors, code)?.extra ? { extra: { maxMb: maxBytes / bytesPerMb } } : {}),
    details: [`file: must be at most ${maxBytes} bytes`],
  });
};

const wrongType = (call: Call, reason?: string): ApiError => {
  const { wrongType: code, types } = ruleOf(call);
  const errors = call.operation?.errors ?? {};
  const details = [`file: must be one of ${types.join(', ')}`];
  const error = declaredError(errors, code, { details });
  if (reason === undefined) return error;
  return declaredError(errors, code, { details, message: `${error.message} Refused: ${reason}.` });
};

/**
 * Receives one file. Nothing is written until `accept` has passed and the first bytes show a declared type; receiving
 * stops at the first byte over the declared size. On success the file is in `call.file`.
 */
export const uploadStream = ({ path, name, call, accept, failed }: UploadOptions): Writable => {
  const hash = createHash('sha256');
  let handle: FileHandle | undefined;
  let sample = Buffer.alloc(0);
  let bytes = 0;

  const fitsQuota = () => bytes <= (call.quota?.bytes ?? Infinity);

  /** A file over its quota is counted and hashed, but neither kept nor inspected. */
  const keep = async (chunk: Buffer): Promise<void> => {
    hash.update(chunk);
    if (!fitsQuota()) return;
    await handle?.writeFile(chunk);
  };

  /** Opens the file once enough bytes have arrived to detect its type. */
  const begin = async (): Promise<void> => {
    const { types } = ruleOf(call);
    const type = (await contentType(sample)) ?? textTypeOf(sample);
    if (type === undefined || !types.includes(type))
      throw wrongType(call, type && `this is ${type}; save it as one of these`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    handle = await open(path, 'wx', 0o600);
    call.file = { path, name, bytes, type, sha256: '' };
    await keep(sample);
  };

  const take = async (chunk: Buffer): Promise<void> => {
    bytes += chunk.length;
    if (bytes > maxBytesOf(call)) throw tooLarge(call);
    if (handle) return keep(chunk);
    sample = Buffer.concat([sample, chunk]);
    if (sample.length >= sampleBytes) await begin();
  };

  const finish = async (): Promise<void> => {
    if (!handle) await begin();
    if (ruleOf(call).isInspected && fitsQuota() && call.file && isMediaType(call.file.type))
      await inspect(path, call.file.type);
    if (call.file) call.file = { ...call.file, bytes, sha256: hash.digest('hex') };
  };

  const closeFile = async (): Promise<void> => {
    await handle?.close();
    handle = undefined;
  };

  const toCallback = async (work: Promise<void>, done: (error?: Error | null) => void): Promise<void> => {
    let failure: Error | null = null;
    try {
      await work;
    } catch (thrown) {
      const error =
        thrown instanceof ContentError ? wrongType(call, thrown.message) : withStorageUnavailability(thrown);
      failed(error);
      failure = error instanceof Error ? error : new Error(String(error));
    }
    done(failure);
  };

  return new Writable({
    construct: (done) => void toCallback(accept(), done),
    write: (chunk: Buffer, _encoding, done) => void toCallback(take(chunk), done),
    // Writes buffered chunks together, however small they are.
    writev: (pieces, done) =>
      void toCallback(take(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer))), done),
    final: (done) => void toCallback(finish().then(closeFile), done),
    destroy: (error, done) => void toCallback(closeFile(), (closing) => done(error ?? closing ?? null)),
  });
};

/** True if the call's key or `clientId` is known: it may be a repeat. */
const mayBeRepeat = async (operation: Registered, call: Call, db: ReadDb): Promise<boolean> => {
  const key = keyOf(operation, call);
  if (key && (await idempotencyRepo(db).isKnown(key))) return true;
  const creation = creationOf(operation, call);
  return creation !== null && (await clientIdRepo(db).find(creation)) !== null;
};

/**
 * Throws if the call may not upload. A repeat is received but not kept, since its stored answer depends on the hash of
 * the file, and the conditions of the first call, such as an existing folder, may no longer hold.
 */
export const findQuota = async (operation: Registered, call: Call, db: ReadDb): Promise<void> => {
  // Both throw for malformed values.
  keyOf(operation, call);
  creationOf(operation, call);
  if (!operation.beforeFile) return;
  const { caller, data: input, tools } = call;
  try {
    call.quota = await operation.beforeFile({ config: tools.config, db, caller, input });
  } catch (error) {
    if (!(error instanceof Error) || !(await mayBeRepeat(operation, call, db))) throw error;
    call.quota = { bytes: 0, quotaExceeded: () => error };
  }
};

/**
 * Takes over a finished upload. An unknown id is left to the handler, which finds out whether the call was already
 * made. Throws UPLOAD_INCOMPLETE, UPLOAD_DAMAGED and the errors of a file in a form. An upload refused for its content
 * is deleted, so that no other call reads it.
 */
export const takeUpload = async (
  operation: Registered,
  call: Call,
  { postgres, pieces }: Pick<UploadParts, 'postgres' | 'pieces'>,
): Promise<void> => {
  const { upload, errors } = operation;
  const { caller, data, tools } = call;
  const { db } = postgres;
  if (upload?.isResumable !== true || !caller || !isRecord(data)) return;
  const { uploadId } = data;
  if (typeof uploadId !== 'string') return;
  const found = await resumableUploadRepo(db).find(uploadId, caller.userId);
  if (!found) return;
  const { bytes, name, sha256, offset } = found;
  if (offset < bytes) throw declaredError(errors, 'UPLOAD_INCOMPLETE', { extra: { offset, bytes } });
  await findQuota(operation, call, db);
  const { quota } = call;
  if (quota && bytes > quota.bytes && !(await mayBeRepeat(operation, call, db)))
    throw quota.quotaExceeded(bytes);
  const leave = await tools.uploads.enter(caller.userId, bytes);
  const path = join(uploadFolder(tools.config), randomUUID());
  call.leaveUpload = () => {
    leave();
    void rm(path, { force: true });
  };
  let failure: unknown;
  const failed = (error: unknown) => (failure ??= error);
  const accept = () => Promise.resolve();
  const end = async (): Promise<void> => {
    const ended = await postgres.single((tx) => resumableUploadWrites(tx).end(uploadId, caller.userId));
    if (ended) await pieces.remove(ended.keys);
  };
  try {
    await pipeline(pieces.read(found), uploadStream({ path, name, call, accept, failed }));
  } catch (error) {
    const refusal = failure ?? error;
    if (refusal instanceof ApiError) await end();
    // Another call has removed it meanwhile.
    else if (!(await resumableUploadRepo(db).find(uploadId, caller.userId)))
      throw declaredError(errors, 'UPLOAD_NOT_FOUND');
    throw refusal;
  }
  if (call.file?.sha256 === sha256) return;
  await end();
  throw declaredError(errors, 'UPLOAD_DAMAGED');
};

/** No call takes this long, so older files were left by a killed process. */
const staleSeconds = 3_600;
const everyMs = 600_000;

/** Deletes uploads that were not finished in time or have become documents. */
export const removeOldPieces = async ({ clock, postgres, pieces }: UploadParts) => {
  const swept = await postgres.single((tx) => resumableUploadWrites(tx).sweep(clock.now()));
  for (const { keys } of swept) await pieces.remove(keys);
  return swept.length;
};

/** Deletes files left by killed processes, now and every ten minutes. The returned function stops it. */
export const sweepUploads = async (parts: UploadParts): Promise<() => void> => {
  const { config, clock, log } = parts;
  const sweep = async (): Promise<void> => {
    try {
      const files = await sweepFiles(uploadFolder(config), addSeconds(clock.now(), -staleSeconds), /^/);
      if (files > 0) log.info({ files }, 'uploads of killed processes deleted');
      const uploads = await removeOldPieces(parts);
      if (uploads > 0) log.info({ uploads }, 'uploads in pieces deleted');
    } catch (error) {
      log.warn({ err: error }, 'uploads of killed processes are left to the next sweep');
    }
  };
  await sweep();
  const timer = setInterval(() => void sweep(), everyMs).unref();
  return () => clearInterval(timer);
};
