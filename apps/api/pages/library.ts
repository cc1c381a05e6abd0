/** Library downloads by signed link. */
import { Readable } from 'node:stream';
import type { Context as KoaContext } from 'koa';
import type { ByteRange } from '#domain/ports.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import { downloadName, isMediaType } from '#domain/library/media-types.ts';
import type { LibraryFile } from '#domain/library/objects.ts';
import { viewOf } from '#domain/library/space.ts';
import { ApiError, commonError } from '../errors.ts';
import { clientHas } from '../http/documents.ts';
import type { PageParts } from './page.ts';

/**
 * The requested byte range; null for the whole file: no range, several, or a malformed one. `unsatisfiable`: beyond the
 * end of the file.
 */
const byteRange = (header: string, size: number): ByteRange | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return 'unsatisfiable';
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
};

/** The requested range, ignored if `If-Range` names another version. */
const requestedRange = (ctx: KoaContext, etag: string, size: number): ReturnType<typeof byteRange> => {
  const condition = ctx.get('If-Range');
  return condition !== '' && condition !== etag ? null : byteRange(ctx.get('Range'), size);
};

const problems = {
  invalid: new ApiError('INVALID_LINK', {
    status: 403,
    message: 'This link is not valid. Sync again for a new one.',
  }),
  expired: new ApiError('LINK_EXPIRED', {
    status: 410,
    message: 'This link has expired. Sync again for a new one.',
  }),
} as const;

/** A link needs no token, but a token of another user is refused. */
const isOfAnother = async ({ services }: PageParts, ctx: KoaContext, userId: number): Promise<boolean> => {
  const [, token] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  if (token === undefined) return false;
  const { claims } = await services.tokens.verify(token);
  return claims !== null && claims.userId !== userId;
};

/** The file of a valid link whose user can still see this version. */
const fileOf = async (parts: PageParts, ctx: KoaContext, id: string): Promise<LibraryFile> => {
  const { context, services } = parts;
  const checked = services.downloadLinks.verify(id, ctx.query);
  if (!checked.download) throw problems[checked.problem];
  const { download, issuedAt } = checked;
  if (await isOfAnother(parts, ctx, download.userId)) throw problems.invalid;
  const caller = await services.identities.byUserId(download.userId);
  // A new password revokes the links issued to earlier sessions.
  if (!caller || caller.isDisabled || issuedAt < caller.credentialsFrom) throw problems.invalid;
  const { fileId, version, userId } = download;
  const file = await libraryEntryRepo(context.postgres.db).file(fileId, userId, viewOf(caller));
  if (file?.version !== version) throw commonError('NOT_FOUND');
  return file;
};

const setHeaders = (ctx: KoaContext, { name, mimeType, fileHash }: LibraryFile): string => {
  if (mimeType === null || !isMediaType(mimeType)) throw commonError('NOT_FOUND');
  const etag = `"${fileHash}"`;
  ctx.attachment(downloadName(name, mimeType));
  ctx.type = mimeType;
  ctx.set({
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    // An SVG opened in a browser is a document; this keeps it from running anything.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  });
  return etag;
};

/** `GET /library/{id}?version=&user=&expires=&signature=`: the bytes of a version, all or a range. */
export const serveDocument =
  (parts: PageParts) =>
  async (ctx: KoaContext, id: string): Promise<void> => {
    const file = await fileOf(parts, ctx, id);
    const { storageKey, fileSize } = file;
    if (storageKey === null) throw commonError('NOT_FOUND');
    const etag = setHeaders(ctx, file);
    if (clientHas(ctx, etag)) {
      ctx.status = 304;
      return;
    }
    const range = requestedRange(ctx, etag, fileSize);
    if (range === 'unsatisfiable') {
      ctx.set('Content-Range', `bytes */${fileSize}`);
      ctx.body = '';
      ctx.status = 416;
      return;
    }
    const content =
      ctx.method === 'HEAD'
        ? Readable.from([])
        : await parts.context.storage.open(storageKey, range ?? undefined);
    // Replaced or deleted since its row was read.
    if (!content) throw commonError('NOT_FOUND');
    ctx.status = range ? 206 : 200;
    if (range) ctx.set('Content-Range', `bytes ${range.first}-${range.last}/${fileSize}`);
    const type = ctx.response.get('Content-Type');
    ctx.body = content instanceof Readable ? content : Readable.from(content);
    ctx.set('Content-Type', type);
    ctx.length = range ? range.last - range.first + 1 : fileSize;
  };
