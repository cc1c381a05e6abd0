/** Multipart forms: `query`, `data` and credentials come first; the file is streamed once they are accepted. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { multipart } from 'formidable';
import { koaBody } from 'koa-body';
import type { Context as KoaContext } from 'koa';
import { UnavailableError } from '#domain/errors.ts';
import type { Body, Call } from '../call.ts';
import { ApiError, commonError } from '../errors.ts';
import { assertBounded } from './json-bounds.ts';
import { uploadStream } from './upload-stream.ts';
import { uploadFolder } from './uploads.ts';

const queryFirst = 'The field "query" must come before the file in the form.';
const maxFields = 8;
const maxFieldBytes = 262_144;
/** An upper limit for the parser; the declared one is enforced while streaming. */
const maxFileBytes = 10_737_418_240;

interface FieldEvents {
  on: (event: 'field', listener: (name: string, value: string) => void) => void;
}

const dataOf = (text: unknown): unknown => {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string')
    throw commonError('INVALID_JSON', { message: 'The field "data" must be one JSON text.' });
  assertBounded(Buffer.from(text));
  try {
    return JSON.parse(text);
  } catch {
    throw commonError('INVALID_JSON', { message: 'The field "data" is not valid JSON text.' });
  }
};

const bodyOf = (given: ReadonlyMap<string, string | string[]>, bytes: number): Body => {
  const { data, ...fields } = Object.fromEntries(given);
  const value = dataOf(data);
  return { fields: value === undefined ? fields : { ...fields, data: value }, text: null, bytes };
};

/** What the parser of a form refuses, as an error of the caller; what this service could not do stays as it is. */
const formError = (error: unknown): unknown => {
  if (error instanceof ApiError || error instanceof UnavailableError) return error;
  const isTooLarge = error instanceof Error && 'httpCode' in error && error.httpCode === 413;
  return commonError(isTooLarge ? 'PAYLOAD_TOO_LARGE' : 'INVALID_JSON');
};

/** Temporary files of the request, for `removeUploads`. */
const uploads = (ctx: KoaContext): string[] => (ctx.state['uploads'] ??= []) as string[];

export const readForm = async (
  ctx: KoaContext,
  call: Call,
  admit: (body: Body) => Promise<void>,
): Promise<Body> => {
  const fields = new Map<string, string | string[]>();
  let bytes = 0;
  let admitted: Body | null = null;
  const late: string[] = [];
  const refusals: unknown[] = [];
  /** Runs once per call, before the form's fields. */
  const observe = (form: FieldEvents) => {
    form.on('field', (name, value) => {
      if (admitted) late.push(name);
      bytes += Buffer.byteLength(value);
      const known = fields.get(name);
      fields.set(name, known === undefined ? value : [known, value].flat());
    });
  };
  const openFile = (file: { originalFilename: string | null }) => {
    const path = join(uploadFolder(call.tools.config), randomUUID());
    uploads(ctx).push(path);
    return uploadStream({
      path,
      name: file.originalFilename ?? 'file',
      call,
      accept: async () => {
        if (!fields.has('query')) throw commonError('MISSING_QUERY', { message: queryFirst });
        admitted = bodyOf(fields, bytes);
        await admit(admitted);
      },
      // The parser drops an error of the file once it has seen the end of the form.
      failed: (error) => {
        refusals.push(error);
      },
    });
  };
  const parse = koaBody({
    text: false,
    urlencoded: false,
    json: false,
    multipart: true,
    formidable: {
      enabledPlugins: [multipart, observe],
      fileWriteStreamHandler: openFile,
      maxFiles: 1,
      maxFields,
      maxFieldsSize: maxFieldBytes,
      maxFileSize: maxFileBytes,
      maxTotalFileSize: maxFileBytes,
      allowEmptyFiles: true,
      minFileSize: 0,
    } as object,
  });
  try {
    await parse(ctx, async () => {});
  } catch (error) {
    throw refusals[0] ?? formError(error);
  }
  if (refusals.length > 0) throw refusals[0];
  if (late.length > 0)
    throw commonError('INVALID_INPUT', {
      details: late.map((name) => `${name}: must come before the file in the form`),
    });
  // A part without a type is a text field to the parser.
  if (fields.has('file'))
    throw commonError('INVALID_INPUT', { details: ['file: must be sent as a file with a Content-Type'] });
  return admitted ?? bodyOf(fields, bytes);
};

/** Removes the temporary files of an upload; operations move what they keep. */
export const removeUploads = async (ctx: KoaContext): Promise<void> => {
  for (const path of uploads(ctx)) await rm(path, { force: true });
};
