import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';

/** A file that is the same for every client. */
export interface Document {
  readonly type: string;
  readonly etag: string;
  readonly read: () => Uint8Array | Promise<Uint8Array>;
}

/** One ETag covers every encoding, so it is weak. */
export const createDocument = (type: string, content: string | Buffer): Document => {
  const bytes = Buffer.from(content);
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { type, etag: `W/"${digest.slice(0, 32)}"`, read: () => bytes };
};

/** A document that is created anew when its version changes. Failures are not cached. */
export const cachedDocument = <Version>(
  versionOf: () => Promise<Version> | Version,
  create: (version: Version) => Promise<Document>,
): (() => Promise<Document>) => {
  let cached: { version: Version; document: Promise<Document> } | undefined;
  return async () => {
    const version = await versionOf();
    if (cached?.version !== version) {
      const document = create(version);
      cached = { version, document };
      document.catch(() => (cached = undefined));
    }
    return cached.document;
  };
};

/** True if the client already has this version. */
export const clientHas = (ctx: KoaContext, etag: string): boolean => {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ctx
    .get('If-None-Match')
    .split(',')
    .map(opaque)
    .some((tag) => tag === opaque(etag) || tag === '*');
};

/** Sends a file, or 304 to a client that has it. An error of `read` is thrown before any header is set. */
export const sendDocument = async (
  ctx: KoaContext,
  { type, etag, read }: Document,
  cacheControl: string,
): Promise<void> => {
  const body = clientHas(ctx, etag) ? null : Buffer.from(await read());
  ctx.set({ ETag: etag, 'Cache-Control': cacheControl });
  if (body === null) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = body;
};
