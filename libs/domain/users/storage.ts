/** Storage of an account outside the library: flight plans, flight data with history, checklists, fleet profiles. */
import { DomainError } from '../errors.ts';
import { quotaBytes } from '../library/space.ts';

/** Minimum counted per entry, for its row. */
export const leastEntryBytes = 1_024;

export interface StorageQuota {
  userId: number;
  quotaMb: number;
}

/** Throws STORAGE_QUOTA_EXCEEDED with the numbers. Data that do not grow are always stored. */
export const assertWithinStorage = (usedBytes: number, newBytes: number, quotaMb: number): void => {
  if (newBytes <= 0 || usedBytes + newBytes <= quotaBytes(quotaMb)) return;
  throw new DomainError(
    'STORAGE_QUOTA_EXCEEDED',
    { usedBytes, quotaMb, newBytes },
    `${newBytes} more bytes do not fit: ${usedBytes} of ${quotaBytes(quotaMb)} bytes (${quotaMb} MB) are used.`,
  );
};
