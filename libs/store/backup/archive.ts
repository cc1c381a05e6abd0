/** An archive is a zstd-compressed tar, which other programs can read. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { temporaryNameOf } from '#platform/files/atomic-file.ts';
import { unpaced } from '../postgres/backup/pace.ts';
import type { Pace } from '../postgres/backup/pace.ts';
import { z } from 'zod';

/** Changes when older archives can no longer be read. */
export const archiveVersion = 1;

/** Names and bounds from a manifest are interpolated into SQL, so no other characters are accepted. */
const nameSchema = z.string().regex(/^[a-z_]\w*\.[a-z_]\w*$/);
const columnSchema = z.string().regex(/^"?[a-z_]\w*"?$/);
const boundSchema = z.string().regex(/^(?:DEFAULT|FOR VALUES [\w '(),:+-]+)$/);
const keySchema = z.string().regex(/^(?:RANGE|LIST|HASH) \([a-z_, ]+\)$/);
const textSchema = z.string();

/** `manifest.json`, the first entry of an archive. */
const manifestSchema = z.object({
  format: z.literal('efb-backup'),
  version: z.number().int(),
  /** Version of the service that made it. */
  service: textSchema,
  /** Time of the stored state, ISO 8601. */
  takenAt: z.iso.datetime(),
  /** Every other entry, in order: its path, size in bytes and SHA-256 in hexadecimal. */
  entries: z.array(z.object({ path: textSchema, bytes: z.number().int(), sha256: textSchema })),
  database: z.object({
    migrations: z.array(textSchema),
    queueVersion: z.number().int(),
    tables: z.array(
      z.object({
        name: nameSchema,
        columns: z.array(columnSchema),
        rows: z.number().int(),
        file: z.string().regex(/^\d+\.copy$/),
      }),
    ),
    partitions: z.array(
      z.object({ name: nameSchema, parent: nameSchema, bound: boundSchema, key: keySchema.nullable() }),
    ),
    sequences: z.array(z.object({ name: nameSchema, value: z.string().regex(/^\d+$/) })),
  }),
});
export type Manifest = z.output<typeof manifestSchema>;

/** The archive cannot be restored; nothing was changed. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

const manifestName = 'manifest.json';
const maxManifestBytes = 256 * 1024 * 1024;

/** Size and SHA-256 of a file. */
export const sumOf = async (path: string, pace = unpaced): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), pace, hash);
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') };
};

/** Writes manifest and entries of the folder to one file, which appears when it is complete. */
export const writeArchive = async (
  out: string,
  folder: string,
  manifest: Manifest,
  pace: Pace,
): Promise<void> => {
  const temporary = temporaryNameOf(out);
  const archive = pack();
  const fill = async () => {
    const head = Buffer.from(JSON.stringify(manifest));
    archive.entry({ name: manifestName, mode: 0o600 }, head);
    for (const { path, bytes } of manifest.entries) {
      const entry = archive.entry({ name: path, size: bytes, mode: 0o600 });
      await pipeline(createReadStream(join(folder, path)), pace, entry);
    }
    archive.finalize();
  };
  try {
    await Promise.all([
      fill(),
      pipeline(
        archive,
        createZstdCompress(),
        createWriteStream(temporary, { mode: 0o600, flags: 'wx', flush: true }),
      ),
    ]);
    await rename(temporary, out);
  } catch (error) {
    archive.destroy();
    await rm(temporary, { force: true });
    throw error;
  }
};

const readAll = async (stream: AsyncIterable<unknown>): Promise<string> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxManifestBytes) throw new ArchiveError('The manifest is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
};

const readManifest = (text: string): Manifest => {
  const manifest = manifestSchema.parse(JSON.parse(text));
  if (manifest.version > archiveVersion)
    throw new ArchiveError('It was made by a newer version of this service: restore it with that one.');
  return manifest;
};

/** Path inside the folder; a manifest may not name others. */
const inside = (folder: string, path: string): string => {
  if (path.startsWith('/') || normalize(path) !== path || path.startsWith('..'))
    throw new ArchiveError(`It has a path that no backup has: ${path}`);
  return join(folder, path);
};

interface ReadOptions {
  signal?: AbortSignal | undefined;
  pace?: Pace;
}

const unpack = async (
  file: string,
  folder: string,
  { signal, pace = unpaced }: ReadOptions,
): Promise<Manifest> => {
  const archive = extract();
  let manifest: Manifest | undefined;
  const missing = new Map<string, { bytes: number; sha256: string }>();
  const take = async () => {
    for await (const entry of archive) {
      const { name } = entry.header;
      if (!manifest) {
        if (name !== manifestName) throw new ArchiveError('It is not a backup of this service.');
        manifest = readManifest(await readAll(entry));
        for (const { path, ...sum } of manifest.entries) missing.set(path, sum);
        continue;
      }
      const wanted = missing.get(name);
      if (!wanted) throw new ArchiveError(`It has an entry that is not in its manifest: ${name}`);
      const path = inside(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(entry, createWriteStream(path, { mode: 0o600 }));
      const found = await sumOf(path);
      if (found.bytes !== wanted.bytes || found.sha256 !== wanted.sha256)
        throw new ArchiveError(`${name} is damaged: its checksum is not the one of the manifest.`);
      missing.delete(name);
    }
  };
  await Promise.all([
    pipeline(createReadStream(file), pace, createZstdDecompress(), archive, signal ? { signal } : {}),
    take(),
  ]);
  const [first] = missing.keys();
  if (!manifest || first !== undefined) throw new ArchiveError(`It ends before ${first ?? manifestName}.`);
  return manifest;
};

/** Unpacks an archive into a folder and checks every entry. Throws `ArchiveError` when it is not complete. */
export const readArchive = async (
  file: string,
  folder: string,
  options: ReadOptions = {},
): Promise<Manifest> => {
  try {
    return await unpack(file, folder, options);
  } catch (error) {
    if (error instanceof ArchiveError) throw new ArchiveError(`${file} cannot be restored. ${error.message}`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArchiveError(`${file} cannot be restored: it is not a complete backup (${reason}).`, {
      cause: error,
    });
  }
};
