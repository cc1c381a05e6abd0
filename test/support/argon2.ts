/**
 * Argon2 with a cache per password: tests register some thousand accounts with the same password, at 20 ms of CPU each.
 * Tests of passwords use the package itself.
 */
import { createRequire } from 'node:module';
import type { hash as Hash, verify as Verify } from '@node-rs/argon2';

const real = createRequire(import.meta.url)('@node-rs/argon2') as {
  hash: typeof Hash;
  verify: typeof Verify;
};

const once = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
  const known = new Map<string, Promise<Result>>();
  return (...args: Args): Promise<Result> => {
    const key = JSON.stringify(args);
    const found = known.get(key) ?? work(...args);
    known.set(key, found);
    return found;
  };
};

/** What a test of login learns or replaces. */
export const watch: {
  hash?: (password: string) => void;
  /** A promise replaces the comparison. */
  verify?: (stored: string, password: string) => Promise<boolean> | void;
} = {};

const hashOnce = once((password: string, options: Parameters<typeof Hash>[1]) =>
  real.hash(password, options),
);
const verifyOnce = once((stored: string, password: string) => real.verify(stored, password));

export const hash: typeof hashOnce = (password, options) => {
  watch.hash?.(password);
  return hashOnce(password, options);
};
export const verify: typeof verifyOnce = (stored, password) =>
  watch.verify?.(stored, password) ?? verifyOnce(stored, password);
