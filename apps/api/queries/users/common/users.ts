import { z } from 'zod';
import type { Caller } from '#domain/users/types.ts';
import { assertWithinStorage } from '#domain/users/storage.ts';
import type { StorageQuota } from '#domain/users/storage.ts';
import { storageRepo } from '#store/postgres/users/storage.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { ErrorTable } from '../../../errors.ts';
import type { Limit } from '../../../limits.ts';

// Errors of account fields.

export const emailErrors = {
  MISSING_FIELD: 400,
  INVALID_FIELD: 400,
  INVALID_EMAIL: { status: 400, message: 'This is not an email address.' },
} as const satisfies ErrorTable;

export const emailTaken = {
  EMAIL_ALREADY_REGISTERED: { status: 409, message: 'There is already an account for this email address.' },
} as const satisfies ErrorTable;

/** Failed uses of reset links, by query and web form. */
export const passwordResetLimit: Limit = {
  name: 'passwordReset',
  points: 20,
  perSeconds: 3600,
  by: 'ip',
  counts: 'failures',
};

/** New accounts, by query and page. */
export const registerLimit: Limit = { name: 'register', points: 20, perSeconds: 3600, by: 'ip' };

/** Requests for reset links, by query and page. */
export const resetRequestLimit: Limit = {
  name: 'passwordResetRequest',
  points: 20,
  perSeconds: 3600,
  by: [{ account: 'email' }, 'ip'],
};
export const resetAddressLimit: Limit = {
  name: 'passwordResetAddress',
  points: 100,
  perSeconds: 3600,
  by: 'ip',
};

/** Failed uses of links that confirm an email address. */
export const emailLinkLimit: Limit = { ...passwordResetLimit, name: 'emailLink' };

/** Errors of queries that store data of a user outside the library. */
export const storageErrors = {
  STORAGE_QUOTA_EXCEEDED: {
    status: 413,
    message: "The account's storage is full.",
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

/** Throws STORAGE_QUOTA_EXCEEDED, which rolls back, if this write exceeds the quota. */
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
