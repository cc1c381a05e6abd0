import { hash as argonHash, verify as argonVerify } from '@node-rs/argon2';
import { UnavailableError } from '#domain/errors.ts';

/** OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane. Raising these upgrades stored hashes on the next login. */
export const passwordPolicy = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
// The package's enum is ambient and cannot be used with type stripping; 2 is argon2id.
const options = { ...passwordPolicy, algorithm: 2 } as const;

/** True when the hash is not argon2id or was created with less work than the policy requires. */
export const needsRehash = (stored: string): boolean => {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored);
  if (!found) return true;
  const [memory, time, lanes] = found.slice(1).map(Number);
  return (
    (memory ?? 0) < passwordPolicy.memoryCost ||
    (time ?? 0) < passwordPolicy.timeCost ||
    (lanes ?? 0) < passwordPolicy.parallelism
  );
};

/** Hashes in progress: more would keep the threads from other work, such as file access, for too long. */
const maxHashes = 32;
let hashes = 0;
/** Verified where there is no account. */
let dummy: Promise<string> | undefined;

/** A flood of logins is refused with `UnavailableError`, since each hash takes a core and 19 MiB. */
const limited = async <T>(work: () => Promise<T>): Promise<T> => {
  const reason = 'too many passwords are being hashed';
  if (hashes >= maxHashes)
    throw new UnavailableError('password hasher', { reason, code: 'BUSY', retryAfterSeconds: 2 });
  hashes += 1;
  try {
    return await work();
  } finally {
    hashes -= 1;
  }
};

// NFC, so that a password typed on another keyboard gives the same bytes.
const bytesOf = (password: string) => password.normalize('NFC');

export const passwords = {
  hash: (password: string): Promise<string> => limited(() => argonHash(bytesOf(password), options)),
  /** Without a hash (no such account) it does the same work and returns false. */
  verify: async (stored: string | null, password: string): Promise<boolean> => {
    if (stored === null) dummy ??= argonHash('no account has this password', options);
    const against = stored ?? (await dummy) ?? '';
    const matches = await limited(() => argonVerify(against, bytesOf(password)));
    return stored !== null && matches;
  },
};
