/** Room for a file before it is received, and a file that has arrived in pieces as that of the call. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { resumableUploadRepo } from '#data/postgres/library/resumable-uploads.ts';
import { clientIdRepo } from '#data/postgres/requests/client-ids.ts';
import { idempotencyRepo } from '#data/postgres/requests/idempotency-keys.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { Pieces } from '#data/storage/pieces.ts';
import { isRecord } from '../call.ts';
import type { Call } from '../call.ts';
import { declaredError } from '../errors.ts';
import { uploadStream } from '../http/upload-stream.ts';
import { uploadFolder } from '../http/uploads.ts';
import type { Registered } from '../registry.ts';
import { creationOf } from './creation.ts';
import { keyOf } from './idempotency.ts';

/** The key or the `clientId` of the call is known: it may have been carried out. */
const mayBeRepeat = async (operation: Registered, call: Call, db: ReadDb): Promise<boolean> => {
  const key = keyOf(operation, call);
  if (key && (await idempotencyRepo(db).isKnown(key))) return true;
  const creation = creationOf(operation, call);
  return creation !== null && (await clientIdRepo(db).find(creation)) !== null;
};

/**
 * Throws what refuses any file. A repeat is received all the same, without being kept, since its answer may be stored under the
 * hash of the file: what was true before the first call, such as its folder, may be so no longer.
 */
export const findRoom = async (operation: Registered, call: Call, db: ReadDb): Promise<void> => {
  if (!operation.beforeFile) return;
  const { caller, data: input, tools } = call;
  try {
    call.room = await operation.beforeFile({ config: tools.config, db, caller, input });
  } catch (error) {
    if (!(error instanceof Error) || !(await mayBeRepeat(operation, call, db))) throw error;
    call.room = { bytes: 0, tooSmall: () => error };
  }
};

/**
 * Nothing for an upload that is not known: whether the call has been made already, the handler finds out. Throws
 * UPLOAD_INCOMPLETE, UPLOAD_DAMAGED, and what a file in a form is refused with.
 */
export const takeUpload = async (
  operation: Registered,
  call: Call,
  { db, pieces }: { db: ReadDb; pieces: Pieces },
): Promise<void> => {
  const { upload, errors } = operation;
  const { caller, data, tools } = call;
  if (upload?.isResumable !== true || !caller || !isRecord(data)) return;
  const { uploadId } = data;
  if (typeof uploadId !== 'string') return;
  const found = await resumableUploadRepo(db).find(uploadId, caller.userId);
  if (!found) return;
  const { bytes, name, sha256, offset } = found;
  if (offset < bytes) throw declaredError(errors, 'UPLOAD_INCOMPLETE', { extra: { offset, bytes } });
  await findRoom(operation, call, db);
  const path = join(uploadFolder(tools.config), randomUUID());
  call.leaveUpload = () => void rm(path, { force: true });
  let failure: unknown;
  const failed = (error: unknown) => (failure ??= error);
  const accept = () => Promise.resolve();
  try {
    await pipeline(pieces.read(found), uploadStream({ path, name, call, accept, failed }));
  } catch (error) {
    throw failure ?? error;
  }
  if (call.file?.sha256 !== sha256) throw declaredError(errors, 'UPLOAD_DAMAGED');
};
