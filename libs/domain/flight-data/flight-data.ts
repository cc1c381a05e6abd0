/** Flight data in answers (M-2.3). */
import { z } from 'zod';
import { deletionView, absentWithHead } from '../fields/deletion.ts';
import type { Deletion, Returned } from '../fields/deletion.ts';
import type { JsonText } from '../text/json-text.ts';
import { wireTime } from '../time.ts';

/** Without the payload. */
export interface FlightDataHead {
  dataKey: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Null: a deleted account. */
  createdByUserId: number | null;
  updatedByUserId: number | null;
  payloadBytes: number;
}

export interface FlightDataRow extends Omit<FlightDataHead, 'payloadBytes'> {
  ofpId: string;
  payload: JsonText;
}

export interface DeletedSection extends Deletion {
  dataKey: string;
  version: number;
}

export interface FlightDataChange {
  id: number;
  version: number;
  changeType: 'insert' | 'update' | 'delete';
  payloadBytes: number;
  changedAt: Date;
  changedByUserId: number | null;
  /** Null if not requested or left out (`maxSnapshotBytes`). */
  payload: JsonText | null;
}

/** Payload bytes in one answer of the history, counted from the newest; older entries have none. */
export const maxSnapshotBytes = 16_777_216;

const payloadSchema = z
  .unknown()
  .meta({ type: ['object', 'array', 'string'] })
  .describe('the payload as it was saved');

const versionFields = {
  version: z.int().describe('Version number of the entry, raised by every change.'),
  createdAt: z.string(),
  updatedAt: z.string(),
  createdByUserId: z.int(),
  updatedByUserId: z.int(),
};

export const flightDataRowSchema = z.strictObject({
  ofpId: z.string(),
  dataKey: z.string(),
  payload: payloadSchema,
  ...versionFields,
});

/** As returned by saves and their conflicts. */
export const savedRowSchema = flightDataRowSchema.extend({
  payload: payloadSchema.optional().describe(absentWithHead),
  payloadBytes: z.int().optional().describe('size of the payload in bytes; only with return: head'),
});

export const flightDataHeadSchema = z.strictObject({
  dataKey: z.string(),
  ...versionFields,
  payloadBytes: z.int(),
});

export const flightDataChangeSchema = z.strictObject({
  id: z.int(),
  version: versionFields.version,
  changeType: z.enum(['insert', 'update', 'delete']),
  payloadBytes: z.int(),
  changedAt: z.string(),
  changedByUserId: z.int(),
  payload: payloadSchema
    .optional()
    .describe(
      `present with includePayload, for the newest entries up to a total of ${maxSnapshotBytes} bytes of payload`,
    ),
});

/** Days for which the history keeps every change; before that it keeps one per day. */
export const wholeHistoryDays = 7;

/** Stands for all deleted accounts. */
const deletedAccountId = 0;

const authorsOf = ({
  createdByUserId,
  updatedByUserId,
}: Pick<FlightDataHead, 'createdByUserId' | 'updatedByUserId'>) => ({
  createdByUserId: createdByUserId ?? deletedAccountId,
  updatedByUserId: updatedByUserId ?? deletedAccountId,
});

export const flightDataRowView = (row: FlightDataRow): z.output<typeof flightDataRowSchema> => ({
  ofpId: row.ofpId,
  dataKey: row.dataKey,
  payload: row.payload,
  version: row.version,
  createdAt: wireTime(row.createdAt),
  updatedAt: wireTime(row.updatedAt),
  ...authorsOf(row),
});

export const savedRowView = (row: FlightDataRow, returned: Returned): z.output<typeof savedRowSchema> => {
  const { payload, ...head } = flightDataRowView(row);
  return returned === 'head' ? { ...head, payloadBytes: row.payload.bytes } : { payload, ...head };
};

export const deletedSectionView = (section: DeletedSection) => ({
  dataKey: section.dataKey,
  version: section.version,
  ...deletionView(section),
});

export const flightDataHeadView = (head: FlightDataHead): z.output<typeof flightDataHeadSchema> => ({
  ...head,
  createdAt: wireTime(head.createdAt),
  updatedAt: wireTime(head.updatedAt),
  ...authorsOf(head),
});

export const flightDataChangeView = ({
  payload,
  ...change
}: FlightDataChange): z.output<typeof flightDataChangeSchema> => ({
  ...change,
  changedAt: wireTime(change.changedAt),
  changedByUserId: change.changedByUserId ?? deletedAccountId,
  ...(payload === null ? {} : { payload }),
});
