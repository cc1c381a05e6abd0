/** Multipart forms: `query`, `data` and credentials come first; the file is streamed once they are accepted. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, multipart } from 'formidable';
import { koaBody } from 'koa-body';
import type { Context as KoaContext } from 'koa';
import { UnavailableError } from '#domain/errors.ts';
import { commonError, ApiError } from '../errors.ts';
import { utf8Text, assertBounded } from './json.ts';
import type { Body, Call } from '../call.ts';
import { uploadStream } from './uploads.ts';
import { uploadFolder } from '#store/storage/pieces.ts';

/** Throws INVALID_INPUT for bytes that are not valid in this charset, and for an unknown charset. */
const decodedText = (bytes: Buffer, charset: string, what: string): string => {
  if (/^utf-?8$/i.test(charset)) return utf8Text(bytes, what, 'INVALID_INPUT');
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw commonError('INVALID_INPUT', { message: `${what} is not text in ${charset}. Send UTF-8.` });
  }
};

const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Encoded words (RFC 2047), which .NET and mail libraries write instead of `filename*`. */
const wordsDecoded = (text: string, what: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi, (_, charset: string, kind: string, word: string) => {
      const isBase64 = kind.toLowerCase() === 'b';
      const bytes = isBase64
        ? Buffer.from(word, 'base64')
        : percentDecoded(word.replaceAll('_', ' ').replaceAll('=', '%'));
      return decodedText(bytes, charset, what);
    });

const parameterOf = (header: string, name: string): string | null => {
  const found = new RegExp(`;\\s*${name}=(?:"((?:\\\\.|[^"\\\\])*)"|([^;]*))`, 'i').exec(header);
  return found ? (found[1]?.replaceAll(/\\(["\\])/g, '$1') ?? found[2]?.trim() ?? '') : null;
};

const fileNameOf = (header: string): string | null => {
  const what = 'The name of the file';
  const extended = /^([\w-]+)'[^']*'(.*)$/.exec(parameterOf(header, 'filename\\*') ?? '');
  if (extended) return decodedText(percentDecoded(extended[2] ?? ''), extended[1] ?? '', what);
  const plain = parameterOf(header, 'filename');
  if (plain === null) return null;
  const name = wordsDecoded(decodedText(Buffer.from(plain, 'latin1'), 'utf-8', what), what);
  // Browsers write a quotation mark as %22; some programs send a whole path.
  return name.slice(name.lastIndexOf('\\') + 1).replaceAll('%22', '"');
};

interface PartHead {
  name: string;
  /** Null: the part is a field, whatever its content type. */
  fileName: string | null;
  charset: string;
}

/** Throws INVALID_INPUT for names that are not text. */
const partHeadOf = (headers: Readonly<Record<string, string>>): PartHead => {
  const disposition = headers['content-disposition'] ?? '';
  const name = parameterOf(disposition, 'name') ?? '';
  return {
    name: decodedText(Buffer.from(name, 'latin1'), 'utf-8', 'The name of a field'),
    fileName: fileNameOf(disposition),
    charset: parameterOf(headers['content-type'] ?? '', 'charset') ?? 'utf-8',
  };
};

const queryFirst = 'The field "query" must come before the file in the form.';
const maxFields = 8;
const maxFieldBytes = 262_144;
/** An upper limit for the parser; the declared one is enforced while streaming. */
const maxFileBytes = 10_737_418_240;

/** Limit for everything that precedes an accepted file. */
const maxHeadBytes = 1_048_576;

/** A part as the parser passes it on; the parser treats any part with a content type as a file. */
interface Part {
  headers: Record<string, string>;
  name: string;
  originalFilename: string | null;
  mimetype: string | null;
  transferEncoding: string;
}

/** The parser decodes base64 four characters at a time and would count line breaks among them. */
const withoutLineBreaks = (part: object): void => {
  let kept = '';
  const set = (text: string) => {
    kept = text.replaceAll(/\s/g, '');
  };
  Object.defineProperty(part, 'transferBuffer', { get: () => kept, set });
};

/** The subset of the parser's API used here. */
interface Parser {
  on: ((event: 'field', listener: (name: string, value: string) => void) => void) &
    ((event: 'progress', listener: (bytes: number) => void) => void);
  onPart: (part: Part) => Promise<void>;
  _handlePart: (part: Part) => Promise<void>;
  _error: (error: unknown) => void;
}

interface Value {
  bytes: Buffer;
  charset: string;
}
type Fields = ReadonlyMap<string, readonly Value[]>;

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

const bodyOf = (given: Fields, bytes: number): Body => {
  const texts = [...given].map(([name, values]) => {
    const [first, ...more] = values.map((value) =>
      decodedText(value.bytes, value.charset, `The field ${JSON.stringify(name)}`),
    );
    return [name, more.length === 0 ? first : [first, ...more]] as const;
  });
  const { data, ...fields } = Object.fromEntries(texts);
  const value = dataOf(data);
  return { fields: value === undefined ? fields : { ...fields, data: value }, text: null, bytes };
};

/** Parser errors for a form that exceeds a limit. */
const tooMuch: Readonly<Record<number, string>> = {
  [errors.maxFieldsExceeded]: `A form may have at most ${maxFields} fields.`,
  [errors.maxFieldsSizeExceeded]: `The fields of a form may have at most ${maxFieldBytes} bytes.`,
};

/** Turns the parser's complaint about a form into a client error; failures of this service pass through. */
const formError = (error: unknown): unknown => {
  if (error instanceof ApiError || error instanceof UnavailableError) return error;
  const { code } = error as { code?: number };
  if (code === errors.maxFilesExceeded)
    return commonError('INVALID_INPUT', { details: ['file: must be one file in a call'] });
  const message = tooMuch[code ?? 0];
  return message === undefined ? commonError('INVALID_JSON') : commonError('PAYLOAD_TOO_LARGE', { message });
};

/** Temporary files of the request, deleted by `removeUploads`. */
const uploads = (ctx: KoaContext): string[] => (ctx.state['uploads'] ??= []) as string[];

export const readForm = async (
  ctx: KoaContext,
  call: Call,
  admit: (body: Body) => Promise<void>,
): Promise<Body> => {
  const fields = new Map<string, Value[]>();
  let bytes = 0;
  let charset = 'utf-8';
  let admitted: Body | null = null;
  const late: string[] = [];
  const refusals: unknown[] = [];
  /** Runs once per call, before the parts of the form. */
  const observe = (form: Parser) => {
    form.onPart = async (part) => {
      try {
        const { fileName, ...head } = partHeadOf(part.headers);
        charset = head.charset;
        const isFile = fileName !== null;
        if (!isFile && head.name === 'file')
          throw commonError('INVALID_INPUT', { details: ['file: must be sent as a file, with a file name'] });
        if (part.transferEncoding === 'base64') withoutLineBreaks(part);
        // The parser undoes the transfer encoding; values are decoded below.
        Object.assign(part, { name: head.name, originalFilename: fileName, transferEncoding: 'binary' });
        part.mimetype = isFile ? part.mimetype || 'application/octet-stream' : null;
      } catch (error) {
        form._error(error);
        return;
      }
      await form._handlePart(part);
    };
    form.on('progress', (received) => {
      if (!admitted && received > maxHeadBytes) form._error(commonError('PAYLOAD_TOO_LARGE'));
    });
    form.on('field', (name, text) => {
      if (admitted) late.push(name);
      bytes += text.length;
      const value = { bytes: Buffer.from(text, 'latin1'), charset };
      fields.set(name, [...(fields.get(name) ?? []), value]);
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
      // The parser drops file errors that occur after the end of the form.
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
      // One character per byte.
      encoding: 'binary',
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
  return admitted ?? bodyOf(fields, bytes);
};

/** Deletes the temporary files of an upload; operations move those that they keep. */
export const removeUploads = async (ctx: KoaContext): Promise<void> => {
  for (const path of uploads(ctx)) await rm(path, { force: true });
};
