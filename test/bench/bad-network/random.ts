/** Numbers in [0, 1) derived from a text, so that a campaign can be repeated by its seed. */
import { createHash } from 'node:crypto';

export interface Random {
  next: () => number;
  /** A whole number from 0 up to, but not including, `below`. */
  upTo: (below: number) => number;
  /** Undefined for an empty list. */
  one: <T>(of: readonly T[]) => T | undefined;
}

export const randomOf = (seed: string): Random => {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (below: number): number => Math.floor(next() * below);
  return { next, upTo, one: (of) => of[upTo(of.length)] };
};
