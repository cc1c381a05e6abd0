import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { GribError } from '../../grib/types.ts';
import { createCycleBuilder } from './build.ts';
import type { CycleBuilder } from './build.ts';
import { ungzip } from '../unpack.ts';
import { SourceError } from '#domain/source-error.ts';
import { damaged, fieldsOf } from './fetch-hour.ts';
import type { SourceFetch } from './fetch-hour.ts';

const maxFileOctets = 768 * 1024 * 1024;
const fileTimeoutMs = 120_000;

interface WindFilesResult {
  snapshot: WindSnapshot;
  files: number;
  fields: number;
  octets: number;
}

interface WindFilesOptions {
  /** Some hours may be absent. */
  allowPartial?: boolean;
  /** Reads a file for callers that count bytes; defaults to the file system. */
  fetch?: SourceFetch;
}

/**
 * Reads one cycle from a file or from all GRIB files of a folder (plain or .gz). Names do not matter: cycle and
 * hours come from the messages; files that do not start with GRIB are ignored. Throws SourceError, or the file
 * system's error when the path cannot be read.
 */
export const readWindFiles = async (
  path: string,
  options: WindFilesOptions = {},
): Promise<WindFilesResult> => {
  const names = (await stat(path)).isDirectory()
    ? (await readdir(path, { withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(path, entry.name))
        .sort()
    : [path];
  const builder = createCycleBuilder();
  let files = 0;
  let fields = 0;
  let octets = 0;
  for (const name of names) {
    const bytes = await gribBytes(name, options.fetch);
    if (bytes !== null) {
      files += 1;
      octets += bytes.length;
      fields += addMessages(builder, bytes, name);
    }
  }
  if (files === 0) throw new SourceError('CORRUPT', `no GRIB file at ${path}`);
  return { snapshot: builder.finish(options), files, fields, octets };
};

/** The octets of a GRIB file, unpacked if necessary; null for any other file. */
const gribBytes = async (name: string, fetch?: SourceFetch): Promise<Buffer | null> => {
  const bytes = fetch ? await fetchedBytes(name, fetch) : await readBytes(name);
  return bytes?.subarray(0, 4).toString('latin1') === 'GRIB' ? bytes : null;
};

const readBytes = async (name: string): Promise<Buffer> => {
  if ((await stat(name)).size > maxFileOctets) throw new SourceError('TOO_LARGE', `${name} is too large`);
  return ungzip(await readFile(name), maxFileOctets);
};

const fetchedBytes = async (name: string, fetch: SourceFetch): Promise<Buffer | null> => {
  try {
    const fetched = await fetch(pathToFileURL(name).href, {
      maxBytes: maxFileOctets,
      timeoutMs: fileTimeoutMs,
      conditional: false,
    });
    return fetched.kind === 'data' ? fetched.bytes : null;
  } catch (error) {
    // A web page among the data is ignored like any other file.
    if (error instanceof SourceError && error.code === 'HTML') return null;
    throw error;
  }
};

/** Adds all wanted fields of a delivery to a builder and returns their number. */
export const addMessages = (builder: CycleBuilder, bytes: Uint8Array, name: string): number => {
  let taken = 0;
  for (const field of fieldsOf(bytes, name))
    try {
      if (builder.add(field)) taken += 1;
    } catch (error) {
      throw error instanceof GribError ? damaged(name, error) : error;
    }
  return taken;
};
