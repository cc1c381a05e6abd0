import { createHash } from 'node:crypto';
import { SourceError } from '#domain/source-error.ts';
import { checkedSnapshot, stepLength } from '#domain/winds/snapshot.ts';
import type { WindHeader, WindSnapshot } from '#domain/winds/snapshot.ts';

/** Octets per chunk: small enough that reading one does not block the event loop of a server. */
const chunkOctets = 256 * 1024;

/** A piece of one step's numbers: int16 little-endian, in the order of the snapshot. */
export interface WindChunk {
  step: number;
  part: number;
  data: Buffer;
  sha256: Buffer;
}

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** Number of chunks per step of such a snapshot. */
export const partsPerStep = (header: WindHeader): number => Math.ceil((stepLength(header) * 2) / chunkOctets);

/**
 * A snapshot as chunks, without copying its numbers. Hosts are little-endian, so the memory layout is the
 * stored form.
 */
export const chunksOf = function* (snapshot: WindSnapshot): Generator<WindChunk> {
  for (const [step, numbers] of snapshot.steps.entries()) {
    const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    for (let part = 0; part * chunkOctets < bytes.length; part++) {
      const data = bytes.subarray(part * chunkOctets, (part + 1) * chunkOctets);
      yield { step, part, data, sha256: sha256(data) };
    }
  }
};

/** Reassembles a snapshot; every chunk is checked against its hash and length. */
export const createAssembler = (
  header: WindHeader,
): {
  put: (chunk: WindChunk) => void;
  finish: () => WindSnapshot;
} => {
  // Allocated one by one as they arrive: 74 MB at once would delay the requests in progress.
  const steps: Int16Array[] = [];
  const stepAt = (step: number): Int16Array => {
    if (!Number.isInteger(step) || step < 0 || step >= header.stepsHours.length)
      throw new SourceError('CORRUPT', `there is no step ${step}`);
    return (steps[step] ??= new Int16Array(stepLength(header)));
  };
  const expected = header.stepsHours.length * partsPerStep(header);
  const seen = new Set<string>();
  return {
    put: ({ step, part, data, sha256: hash }) => {
      const numbers = stepAt(step);
      const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
      const target = bytes.subarray(part * chunkOctets, (part + 1) * chunkOctets);
      if (target.length !== data.length || data.length === 0)
        throw new SourceError(
          'CORRUPT',
          `chunk ${step}/${part} has ${data.length} octets instead of ${target.length}`,
        );
      if (!sha256(data).equals(hash))
        throw new SourceError('CORRUPT', `chunk ${step}/${part} does not match its hash`);
      data.copy(target);
      seen.add(`${step}/${part}`);
    },
    finish: () => {
      if (seen.size !== expected) throw new SourceError('CORRUPT', `${seen.size} of ${expected} chunks`);
      return checkedSnapshot(header, steps);
    },
  };
};
