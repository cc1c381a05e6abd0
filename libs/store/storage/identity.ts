/**
 * Files and rows belong together: an id stored with both lets a process detect a storage of another database.
 */
import { randomUUID } from 'node:crypto';
import { UnavailableError } from '#domain/errors.ts';
import type { FileStorage } from '#domain/ports.ts';
import { OperatorError } from '#platform/errors.ts';
import type { Postgres } from '../postgres/pool.ts';
import { sql } from '../postgres/sql.ts';

/** The message is one sentence for the operator. */
export class StorageIdentityError extends OperatorError {
  override name = 'StorageIdentityError';
}

interface Parts {
  postgres: Postgres;
  storage: FileStorage;
}

const key = 'storage-id';

/** Null: none; undefined: the storage is unavailable. */
const idIn = async (storage: FileStorage): Promise<string | null | undefined> => {
  try {
    const bytes = await storage.get(key);
    return bytes && Buffer.from(bytes).toString('utf8').trim();
  } catch (error) {
    if (error instanceof UnavailableError) return undefined;
    throw error;
  }
};

/** Why files of other processes are not found here, or null. */
export const storageProblem = async ({ postgres, storage }: Parts): Promise<string | null> => {
  const [expected, found] = await Promise.all([
    postgres.db.valueOrNull<string>(sql`SELECT id FROM storage_identity`),
    idIn(storage),
  ]);
  if (expected === null || found === undefined || found === expected) return null;
  return `the files are not those of this database: ${key} is ${found ?? 'missing'}, not ${expected}`;
};

/** The first process gives both the same id. Throws `StorageIdentityError` when they have different ones. */
export const assertOwnStorage = async (parts: Parts): Promise<void> => {
  const { postgres, storage } = parts;
  const found = await idIn(storage);
  if (found === undefined) return;
  await postgres.transaction(async (tx) => {
    const id = found ?? randomUUID();
    // Another process that starts now waits for this commit.
    const claimed = await tx.run(
      sql`INSERT INTO storage_identity (id) VALUES (${id}) ON CONFLICT DO NOTHING`,
    );
    if (claimed === 1 && found === null) await storage.put(key, Buffer.from(id), 'text/plain');
  });
  const problem = await storageProblem(parts);
  if (problem === null) return;
  const cure = `Give the folder or bucket of the other processes, or write that id to ${key} where the files were moved without it`;
  throw new StorageIdentityError(`DATA_DIR, STORAGE_URL: ${problem}. ${cure}.`);
};
