import type { Disk } from 'flydrive';
import type { FileStorage } from '#domain/ports.ts';

/** How a kind of store does what flydrive does not: whole files, streams, ranges. */
export interface Store extends Pick<FileStorage, 'put' | 'putFile' | 'open' | 'sweep'> {
  disk: () => Promise<Disk>;
}
