import { fileURLToPath } from 'node:url';
import { FORECAST_HOURS } from '#domain/winds/snapshot.ts';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { shownAddress } from '../source-error.ts';
import { createCycleBuilder } from './build.ts';
import { addMessages, readWindFiles } from './files.ts';
import type { WindDelivery } from './poll.ts';
import { fetchOctets } from './source-fetch.ts';
import type { SourceFetch } from './source-fetch.ts';

const MAX_FILE_OCTETS = 256 * 1024 * 1024;

/**
 * A cycle that an operator names: a `file:` address of a file or a folder, or an http address of one file with
 * all hours. Absent hours are accepted here; `missingHoursOf` is the guard's word on them.
 */
export async function readWindAddress(
  address: string,
  fetch: SourceFetch,
  onProgress?: (done: number, total: number, text: string) => void,
): Promise<WindDelivery> {
  const source = shownAddress(address);
  if (address.startsWith('file:')) {
    const { snapshot, octets } = await readWindFiles(fileURLToPath(address), {
      allowPartial: true,
      onFile: (name, index, count) => onProgress?.(index, count, name),
    });
    return { snapshot, source, octets, faults: [] };
  }
  const bytes = await fetchOctets(fetch, address, MAX_FILE_OCTETS);
  const builder = createCycleBuilder();
  addMessages(builder, bytes, source);
  return { snapshot: builder.finish({ allowPartial: true }), source, octets: bytes.length, faults: [] };
}

/** Forecast hours of the contract that a snapshot lacks; a cycle is stored whole unless it is forced. */
export const missingHoursOf = (snapshot: WindSnapshot): number[] =>
  FORECAST_HOURS.filter((hour) => !snapshot.header.stepsHours.includes(hour));
