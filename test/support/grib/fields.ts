import { readGrib } from '#data/grib/read.ts';
import type { GribField } from '#data/grib/message.ts';

/** All fields of a file; throws the error of the first one that cannot be read. */
export const gribFields = (bytes: Uint8Array): GribField[] =>
  [...readGrib(bytes)].map((entry) => {
    if (entry.kind === 'fault') throw entry.error;
    return entry;
  });
