import { z } from 'zod';
import { deletedError, deletionView, recreated, recreatedField } from '#domain/fields/deletion.ts';
import type { Returned } from '#domain/fields/deletion.ts';
import { savedRowSchema, savedRowView } from '#domain/flight-data/flight-data.ts';
import { maxSections } from '#domain/flight-data/fields.ts';
import { DomainError } from '#domain/errors.ts';
import { wireTime } from '#domain/time.ts';
import { assertWithinStorage } from '#domain/users/storage.ts';
import { entryBytes, flightDataRepo, flightDataWrites } from '#store/postgres/flight-data/flight-data.ts';
import type { NewFlightData } from '#store/postgres/flight-data/flight-data.ts';
import { storageRepo } from '#store/postgres/users/storage.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import type { ErrorTable } from '../../../errors.ts';
import { ofpErrors, ofpRightErrors, writableOfp } from '../../ofp/common/ofp.ts';
import type { Needs } from '../../../handler-context.ts';
import { storageErrors, storageQuotaOf } from '../../users/common/users.ts';

/** Errors of every query about one row. */
export const flightDataErrors = {
  ...ofpErrors,
  INVALID_DATA_KEY: {
    status: 400,
    message: 'dataKey must be 1 to 64 characters of A-Z a-z 0-9 . _ -',
  },
} as const satisfies ErrorTable;

export const flightDataNotFound = {
  FLIGHT_DATA_NOT_FOUND: { status: 404, message: 'There is no flight data with this dataKey.' },
} as const satisfies ErrorTable;

export const conflict = {
  VERSION_CONFLICT: {
    status: 409,
    message: 'The stored data are newer. Take them over, or save again with their version and updatedAt.',
    extra: z.strictObject({ current: savedRowSchema }),
  },
} as const satisfies ErrorTable;

/** Errors of every query that stores a version. */
export const flightDataSaveErrors = {
  ...ofpRightErrors,
  INVALID_FIELD: 400,
  INVALID_TIMESTAMP: {
    status: 400,
    message: 'lastDownloadedAt must be a time like 2026-09-16T12:00:00Z or 2026-09-16 12:00:00 (UTC).',
  },
  ...conflict,
  FLIGHT_DATA_DELETED: deletedError('section'),
  ...storageErrors,
  FLIGHT_DATA_FULL: { status: 409, message: `A plan has at most ${maxSections} sections of flight data.` },
} as const satisfies ErrorTable;

/**
 * Throws why a row was not stored although the caller may write. Returns if there was another reason, which may no
 * longer hold.
 */
const assertRoom = async (db: ReadDb, row: NewFlightData, returned: Returned): Promise<void> => {
  const { userId, quotaMb } = row.quota;
  assertWithinStorage(await storageRepo(db).usedBytes(userId), entryBytes(row.payload), quotaMb);
  const repo = flightDataRepo(db);
  const found = await repo.get(row);
  const deletion = row.isRefusedIfDeleted && !found?.row ? await repo.lastDeletion(row) : null;
  if (deletion) throw new DomainError('FLIGHT_DATA_DELETED', deletionView(deletion));
  // Without a row, it was just deleted or the share just accepted: nothing prevents the save now.
  if (found?.row) throw new DomainError('VERSION_CONFLICT', { current: savedRowView(found.row, returned) });
  if ((await repo.sections(userId, row.ofpId)) >= maxSections) throw new DomainError('FLIGHT_DATA_FULL');
};

/** The answer of a save; `recreated` if the section had been deleted. */
export const savedSchema = {
  data: savedRowSchema,
  ...recreatedField,
  warnings: z
    .array(
      z.strictObject({
        code: z.literal('CLOCK_AHEAD').describe('Stable warning code, for programs.'),
        message: z.string().describe('Explanation in English.'),
        serverTime: z.string().describe('Time of the service, UTC, `YYYY-MM-DD HH:MM:SS`.'),
      }),
    )
    .optional()
    .describe(
      'CLOCK_AHEAD: lastDownloadedAt is later than the time of this save, so it protected against nothing.',
    ),
};

type Saved = z.output<z.ZodObject<typeof savedSchema>>;

/**
 * Warns of a device clock that is ahead and sent its own time instead of the `updatedAt` it received: no change is that
 * recent.
 */
const warningsOf = ({ lastDownloadedAt, now }: NewFlightData, updatedAt: Date): Pick<Saved, 'warnings'> => {
  const isAhead =
    lastDownloadedAt !== null &&
    Math.floor(lastDownloadedAt.getTime() / 1_000) > Math.floor(updatedAt.getTime() / 1_000);
  const message =
    'lastDownloadedAt is in the future. Send the updatedAt of the last download, or expectedVersion: changes of other devices were not noticed.';
  return isAhead ? { warnings: [{ code: 'CLOCK_AHEAD', message, serverTime: wireTime(now) }] } : {};
};

/**
 * The stored row. Throws OFP_NOT_FOUND, INSUFFICIENT_PERMISSION, VERSION_CONFLICT with the `current` row,
 * STORAGE_QUOTA_EXCEEDED for the owner's storage, FLIGHT_DATA_FULL.
 */
export const saveFlightData = async (
  { db, single, identities, caller }: Needs<'db' | 'single' | 'identities' | 'caller'>,
  given: Omit<NewFlightData, 'quota' | 'userId'>,
  returned: Returned,
): Promise<Saved> => {
  const row = { ...given, userId: caller.userId, quota: storageQuotaOf(caller) };
  for (;;) {
    const saved = await single((tx) => flightDataWrites(tx).save(row));
    if (saved) {
      const data = savedRowView(saved, returned);
      const deletion = saved.isRecreated ? await flightDataRepo(db).lastDeletion(row, saved.version) : null;
      return { data, ...recreated(deletion), ...warningsOf(row, saved.updatedAt) };
    }
    const { ownerId } = await writableOfp(db, row);
    if (ownerId === row.quota.userId) await assertRoom(db, row, returned);
    else {
      const owner = await identities.byUserId(ownerId);
      if (owner) row.quota = storageQuotaOf(owner);
    }
  }
};
