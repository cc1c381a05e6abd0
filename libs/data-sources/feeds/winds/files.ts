import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { GribError } from '../../grib/error.ts';
import { createCycleBuilder } from './build.ts';
import type { CycleBuilder } from './build.ts';
import { SourceError } from '#domain/source-error.ts';
import { damaged, fieldsOf } from './fetch-hour.ts';
import type { SourceFetch } from './fetch-hour.ts';

const maxFileOctets = 768 * 1024 * 1024;
const fileTimeoutMs = 120_000;

/** Unpacked octets of a GRIB file; null for any other file. */
const gribBytes = async (name: string, fetch: SourceFetch): Promise<Buffer | null> => {
  const limits = { maxBytes: maxFileOctets, timeoutMs: fileTimeoutMs, conditional: false } as const;
  try {
    const fetched = await fetch(pathToFileURL(name).href, limits);
    const isGrib = fetched.kind === 'data' && fetched.bytes.subarray(0, 4).toString('latin1') === 'GRIB';
    return isGrib ? fetched.bytes : null;
  } catch (error) {
    // A web page among the files is ignored like other foreign files.
    if (error instanceof SourceError && error.code === 'HTML') return null;
    throw error;
  }
};

/**
 * Reads one cycle from a file, or from all GRIB files in a folder (plain or .gz). Names do not matter: messages state
 * cycle and hour, of which some may be missing, and files that do not start with GRIB are ignored. Throws SourceError, or the file system's error for
 * an unreadable path.
 */
export const readWindFiles = async (
  path: string,
  fetch: SourceFetch,
): Promise<{ snapshot: WindSnapshot; octets: number }> => {
  const names = (await stat(path)).isDirectory()
    ? (await readdir(path, { withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(path, entry.name))
        .sort()
    : [path];
  const builder = createCycleBuilder();
  let octets = 0;
  for (const name of names) {
    const bytes = await gribBytes(name, fetch);
    octets += bytes?.length ?? 0;
    if (bytes !== null) addMessages(builder, bytes, name);
  }
  if (octets === 0) throw new SourceError('CORRUPT', `no GRIB file at ${path}`);
  return { snapshot: builder.finish(), octets };
};

/** Adds all wanted fields from a delivery to a builder. */
export const addMessages = (builder: CycleBuilder, bytes: Uint8Array, name: string): void => {
  for (const field of fieldsOf(bytes, name))
    try {
      builder.add(field);
    } catch (error) {
      throw error instanceof GribError ? damaged(name, error) : error;
    }
};
