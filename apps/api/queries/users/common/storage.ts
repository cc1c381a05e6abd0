import { z } from 'zod';
import { assertWithinStorage } from '#domain/users/storage.ts';
import type { StorageQuota } from '#domain/users/storage.ts';
import { storageRepo } from '#data/postgres/users/storage.ts';
import type { Tx } from '#data/postgres/sql.ts';
import type { Caller } from '#domain/users/types.ts';
import type { ErrorTable } from '../../../errors.ts';

/** Errors of every query that stores something of a user besides the library. */
export const storageErrors = {
  STORAGE_QUOTA_EXCEEDED: {
    status: 413,
    message: 'The storage of the account is full.',
    extra: z.strictObject({ usedBytes: z.int(), quotaMb: z.int(), newBytes: z.int() }),
  },
} as const satisfies ErrorTable;

export const storageQuotaOf = ({
  userId,
  entitlement,
}: Pick<Caller, 'userId' | 'entitlement'>): StorageQuota => ({
  userId,
  quotaMb: entitlement.product.storageQuotaMb,
});

/** Throws STORAGE_QUOTA_EXCEEDED, which undoes the transaction, when this write has grown beyond the quota. */
export const withinStorage = async <T>(
  tx: Tx,
  { userId, quotaMb }: StorageQuota,
  write: () => Promise<T>,
): Promise<T> => {
  const storage = storageRepo(tx);
  const usedBytes = await storage.usedBytes(userId);
  const written = await write();
  assertWithinStorage(usedBytes, (await storage.usedBytes(userId)) - usedBytes, quotaMb);
  return written;
};
