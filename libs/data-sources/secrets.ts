/** Secrets of the embedded default, generated once and stored in `DATA_DIR/secrets.json` (mode 0600). */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { newDeveloperKey } from './auth/dev-keys.ts';
import { syncFolderNow, temporaryNameOf } from './storage/atomic-file.ts';

const secretsSchema = z.object({
  JWT_SECRET: z.string().min(32),
  SAFETY_CODE: z.string().min(16),
  TRY_DEVELOPER_KEY: z.string().min(32).optional(),
});
export type Secrets = z.output<typeof secretsSchema>;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** The file exists, but is not what was written. The message is for the operator; the content never appears in it. */
export class DamagedSecretsError extends Error {
  override name = 'DamagedSecretsError';
}

const read = (path: string): Secrets | null => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    return secretsSchema.parse(JSON.parse(text));
  } catch {
    // The reason would quote the content.
    throw new DamagedSecretsError(
      `${path} is damaged. Restore it from a backup, or delete it: new secrets are generated then, and every user has to log in again`,
    );
  }
};

/** Appears under its name only when it is whole; of several processes the first one wins. */
const create = (path: string, secrets: Secrets): void => {
  const temporary = temporaryNameOf(path);
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(secrets, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncFolderNow(dirname(path));
};

/** The stored secrets, generated at the first call. Throws `DamagedSecretsError`, or what the file system reports. */
export const storedSecrets = (dataDir: string): Secrets => {
  const path = join(dataDir, 'secrets.json');
  const known = read(path);
  if (known) return known;
  mkdirSync(dataDir, { recursive: true });
  const secrets = {
    JWT_SECRET: randomBytes(48).toString('base64url'),
    SAFETY_CODE: randomBytes(24).toString('base64url'),
    TRY_DEVELOPER_KEY: newDeveloperKey(),
  };
  create(path, secrets);
  return read(path) ?? secrets;
};
