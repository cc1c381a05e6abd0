/** Secrets of the embedded setup, generated once and stored in `DATA_DIR/secrets.json` (mode 0600). */
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '#domain/errors.ts';
import { z } from 'zod';
import { newDeveloperKey } from '../developer-keys.ts';
import { syncFolderNow, temporaryNameOf } from '../files/atomic-file.ts';

/** Comma-separated values, the active one first, each with at least `minLength` characters. */
export const valuesField = (minLength: number, what = 'key') =>
  z
    .string()
    .transform((text) => text.split(',').map((value) => value.trim()))
    .refine(
      (values) => values.every((value) => value.length >= minLength),
      `every ${what} must have at least ${minLength} characters`,
    );

const secretsSchema = z.object({
  JWT_SECRET: valuesField(32),
  ENCRYPTION_KEYS: valuesField(32),
  SAFETY_CODE: valuesField(16),
  TRY_DEVELOPER_KEY: z.string().min(32).optional(),
});
export type Secrets = z.output<typeof secretsSchema>;

/** As stored; several values are separated by commas. */
type Stored = Readonly<Record<string, string>>;

/** The file exists but is damaged. The message is for the operator and never contains the content. */
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
    // The original error would quote the content.
    throw new DamagedSecretsError(
      `${path} is damaged. Restore it from a backup. Without one delete it and run "npm run ops -- secrets rotate --discard": new secrets are generated, every user has to log in again and gets a new API key`,
    );
  }
};

/** Creates the file atomically; if several processes do so, the first one wins. */
const create = (path: string, secrets: Stored): void => {
  const temporary = temporaryNameOf(path);
  writeFileSync(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true });
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

/** The stored secrets, generated at the first call. Throws `DamagedSecretsError` or a file system error. */
export const storedSecrets = (dataDir: string): Secrets => {
  const path = join(dataDir, 'secrets.json');
  const known = read(path);
  if (known) return known;
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
