import { rm } from 'node:fs/promises';
import { koaBody } from 'koa-body';
import type { Context as KoaContext } from 'koa';
import type { UploadedFile } from '../define.ts';
import { ApiError, commonError } from '../errors.ts';

export const maxJsonBytes = 4_718_592;
const maxFileBytes = 52_428_800;
const maxDepth = 64;
const maxNodes = 200_000;

export interface ReadBody {
  body: Record<string, unknown>;
  file: UploadedFile | null;
}

/** Refuses nesting that would exhaust a recursive reader later; walks without recursion itself. */
export const assertShallow = (value: unknown): void => {
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  let nodes = 0;
  for (let item = stack.pop(); item; item = stack.pop()) {
    nodes += 1;
    if (item.depth > maxDepth)
      throw commonError('INVALID_JSON', { message: `The body is nested deeper than ${maxDepth} levels.` });
    if (nodes > maxNodes)
      throw commonError('PAYLOAD_TOO_LARGE', { message: 'The body holds too many values.' });
    if (typeof item.value !== 'object' || item.value === null) continue;
    for (const child of Object.values(item.value)) stack.push({ value: child, depth: item.depth + 1 });
  }
};

const kinds = { text: false, urlencoded: false } as const;

const readJson = koaBody({ ...kinds, json: true, jsonStrict: true, jsonLimit: maxJsonBytes });

/** `begun` gets the path of every temporary file, also of those that a refused form leaves behind. */
const formReader = (begun: string[]) =>
  koaBody({
    ...kinds,
    json: false,
    multipart: true,
    formidable: {
      maxFiles: 1,
      maxFields: 8,
      maxFieldsSize: maxJsonBytes,
      maxFileSize: maxFileBytes,
      maxTotalFileSize: maxFileBytes,
      allowEmptyFiles: true,
      minFileSize: 0,
      onFileBegin: (_name, file) => begun.push(file.filepath),
    },
  });

const statusOf = (error: unknown): number => {
  if (typeof error !== 'object' || error === null) return 0;
  if ('httpCode' in error && typeof error.httpCode === 'number') return error.httpCode;
  return 'status' in error && typeof error.status === 'number' ? error.status : 0;
};

const notAnObject = (): ApiError =>
  commonError('INVALID_JSON', { message: 'The body must be a JSON object.' });

/** The strict reader refuses `null` or `5` as it refuses broken text; the refused text tells them apart. */
const isScalarJson = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null || !('body' in error)) return false;
  const { body } = error;
  if (typeof body !== 'string' || /^\s*[{[]/.test(body)) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    // Broken text is told as such.
    return false;
  }
};

const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  if (statusOf(error) === 413) return commonError('PAYLOAD_TOO_LARGE');
  if (isScalarJson(error)) return notAnObject();
  return commonError('INVALID_JSON');
};

const dataOf = (text: unknown): unknown => {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string')
    throw commonError('INVALID_JSON', { message: 'The field "data" must be one JSON text.' });
  try {
    return JSON.parse(text);
  } catch {
    throw commonError('INVALID_JSON', { message: 'The field "data" is not valid JSON text.' });
  }
};

const uploaded = (ctx: KoaContext): UploadedFile | null => {
  const given = ctx.request.files?.['file'];
  const file = Array.isArray(given) ? given[0] : given;
  return file ? { path: file.filepath, name: file.originalFilename ?? 'file', bytes: file.size } : null;
};

/** Reads JSON or multipart (`query`, `data` as JSON text, `file`). Throws an `ApiError` of the front. */
export const readBody = async (ctx: KoaContext): Promise<ReadBody> => {
  const type = (ctx.get('Content-Type').split(';', 1)[0] ?? '').trim().toLowerCase();
  const isForm = type === 'multipart/form-data';
  const isJson = type === 'application/json' || type.endsWith('+json');
  if (!isForm && !isJson)
    throw commonError('UNSUPPORTED_MEDIA_TYPE', {
      headers: { Accept: 'application/json, multipart/form-data' },
    });
  const begun: string[] = [];
  ctx.state['uploads'] = begun;
  try {
    await (isForm ? formReader(begun) : readJson)(ctx, async () => {});
  } catch (error) {
    throw toApiError(error);
  }
  const parsed: unknown = ctx.request.body;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw notAnObject();
  }
  if (!isForm) {
    assertShallow(parsed);
    return { body: parsed as Record<string, unknown>, file: null };
  }
  const { data, ...fields } = parsed as Record<string, unknown>;
  const value = dataOf(data);
  assertShallow(value);
  return { body: value === undefined ? fields : { ...fields, data: value }, file: uploaded(ctx) };
};

/** Removes what an upload left in the temporary folder; operations move what they keep. */
export const removeUploads = async (ctx: KoaContext): Promise<void> => {
  for (const path of (ctx.state['uploads'] as string[] | undefined) ?? []) await rm(path, { force: true });
};
