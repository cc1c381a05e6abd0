import { z } from 'zod';
import { flightDataRowSchema, flightDataRowView } from '#domain/flight-data/flight-data.ts';
import { DomainError } from '#domain/errors.ts';
import { flightDataRepo, flightDataWrites } from '#data/postgres/flight-data/flight-data.ts';
import type { NewFlightData } from '#data/postgres/flight-data/flight-data.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { RunTransaction } from '../define.ts';
import type { ErrorTable } from '../errors.ts';
import { writableOfp } from '../ofp/access.ts';
import { ofpRightErrors } from '../ofp/share-errors.ts';

/** Errors of every query that stores a version. */
export const flightDataSaveErrors = {
  ...ofpRightErrors,
  INVALID_FIELD: 400,
  INVALID_TIMESTAMP: {
    status: 400,
    message: 'lastDownloadedAt must be a time like 2026-09-16T12:00:00Z or 2026-09-16 12:00:00 (UTC).',
  },
  VERSION_CONFLICT: {
    status: 409,
    message: 'The stored data are newer. Take them over, or save again with their version and updatedAt.',
    extra: z.strictObject({ current: flightDataRowSchema }),
  },
} as const satisfies ErrorTable;

/** The stored row. Throws OFP_NOT_FOUND, INSUFFICIENT_PERMISSION, VERSION_CONFLICT with the `current` row. */
export const saveFlightData = async (
  { db, single }: { db: ReadDb; single: RunTransaction },
  row: NewFlightData,
): Promise<z.output<typeof flightDataRowSchema>> => {
  for (;;) {
    const saved = await single((tx) => flightDataWrites(tx).save(row));
    if (saved) return flightDataRowView(saved);
    await writableOfp(db, row);
    const found = await flightDataRepo(db).get(row);
    // Without a row it was deleted, or the share accepted, just now: nothing prevents it any longer.
    if (found?.row) throw new DomainError('VERSION_CONFLICT', { current: flightDataRowView(found.row) });
  }
};
