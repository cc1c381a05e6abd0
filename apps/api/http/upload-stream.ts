import { mkdir, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { withStorageUnavailability } from '#data/storage/unavailable.ts';
import type { Call } from '../call.ts';
import type { UploadRule } from '../define.ts';
import { declaredError } from '../errors.ts';

/** Number of bytes needed to detect the type of a file. */
const sampleBytes = 4_100;

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

/**
 * Receives one file. Nothing is written before `accept` and before its first bytes show a declared type; the
 * first byte over the declared size ends it. On success `call.file` is the file.
 */
export const uploadStream = ({ path, name, call, accept, failed }: UploadOptions): Writable => {
  let handle: FileHandle | undefined;
  let sample = Buffer.alloc(0);
  let bytes = 0;

  const ruleOf = (): UploadRule => {
    if (!call.operation?.upload) throw new Error('no upload was accepted');
    return call.operation.upload;
  };
  const errors = () => call.operation?.errors ?? {};

  /** Opens the file once enough bytes have arrived to detect its type. */
  const begin = async (): Promise<void> => {
    const rule = ruleOf();
    const type = (await fileTypeFromBuffer(sample))?.mime ?? textTypeOf(sample);
    if (type === undefined || !rule.types.includes(type))
      throw declaredError(errors(), rule.wrongType, {
        details: [`file: must be one of ${rule.types.join(', ')}`],
      });
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    handle = await open(path, 'wx', 0o600);
    await handle.writeFile(sample);
    call.file = { path, name, bytes, type };
  };

  const take = async (chunk: Buffer): Promise<void> => {
    const rule = ruleOf();
    bytes += chunk.length;
    if (bytes > rule.maxBytes)
      throw declaredError(errors(), rule.tooLarge, {
        details: [`file: must be at most ${rule.maxBytes} bytes`],
      });
    if (handle) {
      await handle.writeFile(chunk);
      return;
    }
    sample = Buffer.concat([sample, chunk]);
    if (sample.length >= sampleBytes) await begin();
  };

  const finish = async (): Promise<void> => {
    if (!handle) await begin();
    if (call.file) call.file = { ...call.file, bytes };
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
      const error = withStorageUnavailability(thrown);
      failed(error);
      failure = error instanceof Error ? error : new Error(String(error));
    }
    done(failure);
  };

  return new Writable({
    construct: (done) => void settle(accept(), done),
    write: (chunk: Buffer, _encoding, done) => void settle(take(chunk), done),
    final: (done) => void settle(finish().then(closeFile), done),
    destroy: (error, done) => void settle(closeFile(), (closing) => done(error ?? closing ?? null)),
  });
};
