import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context as KoaContext } from 'koa';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A document that is the same for every client. Each encoding is created at its first request. */
export interface Document {
  readonly type: string;
  /** Identifies the content, regardless of its encoding. */
  readonly tag: string;
  readonly encodings: readonly Encoding[];
  encoded: (encoding: Encoding) => Promise<Buffer>;
}

/**
 * Sized to the text: Brotli's default window allocates megabytes of tables, which cost up to ten times as much as a
 * small text itself.
 */
export const brotliParams = (quality: number, length: number): Record<number, number> => ({
  [constants.BROTLI_PARAM_QUALITY]: quality,
  [constants.BROTLI_PARAM_SIZE_HINT]: length,
  [constants.BROTLI_PARAM_LGWIN]: Math.min(
    constants.BROTLI_DEFAULT_WINDOW,
    Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(length + 16))),
  ),
});

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: brotliParams(9, bytes.length) }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
  identity: (bytes) => Promise.resolve(bytes),
};

/** A copy, because zlib may return a slice of a larger buffer that would stay in memory with it. */
const ownBytes = (bytes: Buffer): Buffer => Buffer.from(new Uint8Array(bytes).buffer);

/** Smaller texts fit into one packet uncompressed. */
export const leastCompressedBytes = 1_024;

export const createDocument = (type: string, content: string | Buffer): Document => {
  const bytes = ownBytes(Buffer.from(content));
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    tag: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
    encodings: bytes.length < leastCompressedBytes ? ['identity'] : ['br', 'gzip', 'identity'],
    encoded: (encoding) => {
      const encoded = made.get(encoding) ?? compressors[encoding](bytes).then(ownBytes);
      made.set(encoding, encoded);
      return encoded;
    },
  };
};

/** A document that is created anew when its version changes. Failures are not cached. */
export const cachedDocument = (
  versionOf: () => Promise<string> | number,
  create: () => Promise<Document>,
): (() => Promise<Document>) => {
  let cached: { version: string | number; document: Promise<Document> } | undefined;
  return async () => {
    const version = await versionOf();
    if (cached?.version !== version) {
      const document = create();
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

interface StoredFile {
  etag: string;
  cacheControl: string;
  type: string;
  bytes: Buffer;
}

/** Sends a file, or 304 to a client that has it. */
export const sendStored = (ctx: KoaContext, { etag, cacheControl, type, bytes }: StoredFile): void => {
  ctx.set({ ETag: etag, 'Cache-Control': cacheControl });
  if (clientHas(ctx, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = bytes;
};

/** Preference of a client for an encoding (RFC 9110, 12.5.3); plain text comes last when not mentioned. */
const qualityOf = (accepted: string, encoding: Encoding): number => {
  const wanted = new Map(
    accepted.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );
  return wanted.get(encoding) ?? wanted.get('*') ?? (encoding === 'identity' ? 0.001 : 0);
};

/** The encoding that the client prefers, the first one if several rank equally. Plain text if it accepts none. */
export const chosenEncoding = (accepted: string, encodings: readonly Encoding[]): Encoding => {
  const qualities = encodings.map((encoding) => ({ encoding, quality: qualityOf(accepted, encoding) }));
  const [best] = qualities.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  return best?.encoding ?? 'identity';
};

const suffixes: Readonly<Record<Encoding, string>> = { br: '-br', gzip: '-gz', identity: '' };

/**
 * Sends the encoding that the client prefers, with an ETag per encoding, or 304. Errors from `encoded` are thrown
 * before any header but those of caching is set.
 */
export const sendDocument = async (
  ctx: KoaContext,
  document: Document,
  cacheControl: string,
): Promise<void> => {
  const encoding = chosenEncoding(ctx.get('Accept-Encoding'), document.encodings);
  const etag = `"${document.tag}${suffixes[encoding]}"`;
  const isKnown = clientHas(ctx, etag);
  const body = isKnown ? null : await document.encoded(encoding);
  // Compressing the bytes again would give different bytes under the same ETag.
  ctx['compress'] = false;
  ctx.vary('Accept-Encoding');
  ctx.set({ ETag: etag, 'Cache-Control': cacheControl });
  if (body === null) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.type = document.type;
  ctx.body = body;
};
