import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { GribError, readGrib } from '../../grib/grib.ts';
import { createCycleBuilder } from './build.ts';
import type { CycleBuilder } from './build.ts';
import { ungzip } from '../unpack.ts';
import { SourceError } from '../source-error.ts';

const MAX_FILE_OCTETS = 768 * 1024 * 1024;

export interface WindFilesResult {
  snapshot: WindSnapshot;
  files: number;
  fields: number;
  octets: number;
}

/**
 * Reads one cycle from a file or from all GRIB files of a folder (plain or .gz). Names do not matter: cycle
 * and hours come from the messages; files that do not begin with GRIB are left aside. Throws SourceError,
 * or the file system's error when the path cannot be read.
 */
export async function readWindFiles(
  path: string,
  options: { allowPartial?: boolean; onFile?: (name: string, index: number, count: number) => void } = {},
): Promise<WindFilesResult> {
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
  for (const [index, name] of names.entries()) {
    options.onFile?.(name, index, names.length);
    const bytes = await gribBytes(name);
    if (bytes === null) continue;
    files += 1;
    octets += bytes.length;
    fields += addMessages(builder, bytes, name);
  }
  if (files === 0) throw new SourceError('CORRUPT', `no GRIB file at ${path}`);
  return { snapshot: builder.finish(options), files, fields, octets };
}

/** The octets of a GRIB file, unpacked if need be; null for a file of another kind. */
async function gribBytes(name: string): Promise<Buffer | null> {
  if ((await stat(name)).size > MAX_FILE_OCTETS) throw new SourceError('TOO_LARGE', `${name} is too large`);
  const raw = await readFile(name);
  const bytes = await ungzip(raw, MAX_FILE_OCTETS);
  return bytes.subarray(0, 4).toString('latin1') === 'GRIB' ? bytes : null;
}

/**
 * Adds all wanted fields of a delivery to a builder and returns how many it took. Fields that the decoder
 * refuses are none of ours (other grids, other packings); a broken message spoils the delivery.
 */
export function addMessages(builder: CycleBuilder, bytes: Uint8Array, name: string): number {
  let taken = 0;
  for (const entry of readGrib(bytes)) {
    if (entry.kind === 'fault') {
      if (entry.error.code.startsWith('UNSUPPORTED_')) continue;
      throw damaged(name, entry.error);
    }
    try {
      if (builder.add(entry)) taken += 1;
    } catch (error) {
      throw error instanceof GribError ? damaged(name, error) : error;
    }
  }
  return taken;
}

function damaged(name: string, error: GribError): SourceError {
  const code = error.code === 'TRUNCATED' ? 'TRUNCATED' : 'CORRUPT';
  return new SourceError(code, `${name}: ${error.message}`, { cause: error });
}
