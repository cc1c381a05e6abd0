/** Secrets of the embedded default, generated once and stored in `DATA_DIR/secrets.json` (mode 0600). */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { valuesField } from './values.ts';
import { newDeveloperKey } from '../developer-keys.ts';
import { syncFolderNow, temporaryNameOf } from '../files/atomic-file.ts';

const secretsSchema = z.object({
  JWT_SECRET: valuesField(32),
  /** Absent in the file of an older version until its next start. */
  ENCRYPTION_KEYS: valuesField(32).optional(),
  SAFETY_CODE: valuesField(16),
  TRY_DEVELOPER_KEY: z.string().min(32).optional(),
});
export type Secrets = z.output<typeof secretsSchema>;

/** As in the file: several values are separated by commas. */
type Stored = Readonly<Record<string, string>>;

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
      `${path} is damaged. Restore it from a backup. Without one delete it and run "npm run ops -- secrets rotate --discard": new secrets are generated, every user has to log in again and gets a new API key`,
    );
  }
};

/** Appears under its name only when it is whole; of several processes the first one wins. */
const create = (path: string, secrets: Stored): void => {
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

const newKey = (): string => randomBytes(48).toString('base64url');

/** Adds what a file of an older version lacks. Of several processes the first one decides: the others find its key. */
const withEncryptionKey = (path: string, known: Secrets): Secrets => {
  if (known.ENCRYPTION_KEYS) return known;
  const upgraded = `${path}.upgrade`;
  const stored = JSON.parse(readFileSync(path, 'utf8')) as Stored;
  create(upgraded, { ...stored, ENCRYPTION_KEYS: newKey() });
  if (read(path)?.ENCRYPTION_KEYS) rmSync(upgraded, { force: true });
  else {
    try {
      renameSync(upgraded, path);
    } catch (error) {
      // Another process was faster.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  syncFolderNow(dirname(path));
  return read(path) ?? known;
};

/** The stored secrets, generated at the first call. Throws `DamagedSecretsError`, or what the file system reports. */
export const storedSecrets = (dataDir: string): Secrets => {
  const path = join(dataDir, 'secrets.json');
  const known = read(path);
  if (known) return withEncryptionKey(path, known);
  mkdirSync(dataDir, { recursive: true });
  const secrets = {
    JWT_SECRET: newKey(),
    ENCRYPTION_KEYS: newKey(),
    SAFETY_CODE: randomBytes(24).toString('base64url'),
    TRY_DEVELOPER_KEY: newDeveloperKey(),
  };
  create(path, secrets);
  return read(path) ?? secretsSchema.parse(secrets);
};
