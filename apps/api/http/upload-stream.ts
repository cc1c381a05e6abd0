import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { contentType, sampleBytes } from '#data/content/content-type.ts';
import { inspect } from '#data/content/inspect-file.ts';
import { ContentError } from '#data/content/source.ts';
import { withStorageUnavailability } from '#platform/files/unavailable.ts';
import { isMediaType } from '#domain/library/media-types.ts';
import { bytesPerMb } from '#domain/library/space.ts';
import type { Call } from '../call.ts';
import type { UploadRule } from '../upload-rule.ts';
import { declaredError, errorEntry } from '../errors.ts';
import type { ApiError } from '../errors.ts';

/** Texts have no mark of their type: JSON starts with a bracket, XML with a tag; undefined for any other content. */
const textTypeOf = (start: Buffer): string | undefined => {
  const first = /^\uFEFF?\s*([{["<])/.exec(start.toString('utf8'))?.[1];
  if (first === undefined) return undefined;
  return first === '<' ? 'application/xml' : 'application/json';
};

export interface UploadOptions {
  path: string;
  /** File name given by the client. */
  name: string;
  call: Call;
  /** The stages before the handler; throws when the call must not send this file. */
  accept: () => Promise<void>;
  /** Called with the first failure, before the stream ends with it. */
  failed: (error: unknown) => void;
}

const ruleOf = ({ operation }: Call): UploadRule => {
  if (!operation?.upload) throw new Error('no upload was accepted');
  return operation.upload;
};

const maxBytesOf = (call: Call): number => {
  const { maxBytes } = ruleOf(call);
  return typeof maxBytes === 'number' ? maxBytes : call.tools.config[maxBytes] * bytesPerMb;
};

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
 * Receives one file. Nothing is written before `accept` and before its first bytes show a declared type; the
 * first byte over the declared size ends it. On success `call.file` is the file.
 */
export const uploadStream = ({ path, name, call, accept, failed }: UploadOptions): Writable => {
  const hash = createHash('sha256');
  let handle: FileHandle | undefined;
  let sample = Buffer.alloc(0);
  let bytes = 0;

  const hasRoom = () => bytes <= (call.room?.bytes ?? Infinity);

  /** A file that is larger than its room is counted and hashed, but neither kept nor inspected. */
  const keep = async (chunk: Buffer): Promise<void> => {
    hash.update(chunk);
    if (!hasRoom()) return;
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
    if (ruleOf(call).isInspected && hasRoom() && call.file && isMediaType(call.file.type))
      await inspect(path, call.file.type);
    if (call.file) call.file = { ...call.file, bytes, sha256: hash.digest('hex') };
  };

  const closeFile = async (): Promise<void> => {
    await handle?.close();
    handle = undefined;
  };

  const settle = async (work: Promise<void>, done: (error?: Error | null) => void): Promise<void> => {
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
    construct: (done) => void settle(accept(), done),
    write: (chunk: Buffer, _encoding, done) => void settle(take(chunk), done),
    // Pieces that have arrived meanwhile, however small, are one.
    writev: (pieces, done) =>
      void settle(take(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer))), done),
    final: (done) => void settle(finish().then(closeFile), done),
    destroy: (error, done) => void settle(closeFile(), (closing) => done(error ?? closing ?? null)),
  });
};
