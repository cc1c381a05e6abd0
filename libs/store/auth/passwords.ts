import { availableParallelism } from 'node:os';
import { hash as argonHash, verify as argonVerify } from '@node-rs/argon2';
import { UnavailableError } from '#domain/errors.ts';

/** OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane. Raising these upgrades stored hashes on the next login. */
export const passwordPolicy = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
// The package's enum is ambient and cannot be used with type stripping; 2 is argon2id.
const options = { ...passwordPolicy, algorithm: 2 } as const;

/** Too many hashes are in progress. */
const busy = (reason: string): UnavailableError =>
  new UnavailableError('password hasher', { reason, code: 'BUSY', retryAfterSeconds: 2 });

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

interface Passwords {
  hash: (password: string) => Promise<string>;
  /** Without a hash (no such account) it does the same work and returns false. */
  verify: (stored: string | null, password: string) => Promise<boolean>;
}

const maxWaiting = 256;
const maxWaitMs = 2_000;

/**
 * argon2id with a limit on concurrent hashes, each of which uses a core and 19 MiB: a flood of logins waits briefly, then gets
 * `UnavailableError`.
 */
export const createPasswords = (slots = availableParallelism()): Passwords => {
  const waiting: (() => void)[] = [];
  let running = 0;
  let dummy: Promise<string> | undefined;

  const takeSlot = (): Promise<void> => {
    if (running < slots) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting.length >= maxWaiting) return Promise.reject(busy('too many passwords are waiting'));
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(busy(`no slot within ${maxWaitMs} ms`));
      }, maxWaitMs);
      waiting.push(go);
    });
  };

  const inSlot = async <T>(work: () => Promise<T>): Promise<T> => {
    await takeSlot();
    try {
      return await work();
    } finally {
      // The slot is passed on, so `running` does not change while others wait.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };

  // NFC, so that a password typed on another keyboard gives the same bytes.
  const bytesOf = (password: string) => password.normalize('NFC');

  return {
    hash: (password) => inSlot(() => argonHash(bytesOf(password), options)),
    verify: async (stored, password) => {
      if (stored === null) dummy ??= argonHash('no account has this password', options);
      const against = stored ?? (await dummy) ?? '';
      const matches = await inSlot(() => argonVerify(against, bytesOf(password)));
      return stored !== null && matches;
    },
  };
};

/** The hasher of this process; all operations share its slots. */
export const passwords = createPasswords();
