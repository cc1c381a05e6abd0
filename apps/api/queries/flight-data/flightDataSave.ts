import { z } from 'zod';
import { versionField } from '#domain/fields/index.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import {
  lastDownloadedAtField,
  maxFlightDataBodyBytes,
  payloadField,
  rowKeyFields,
} from '#domain/flight-data/fields.ts';
import { flightDataRowSchema, flightDataRowView } from '#domain/flight-data/flight-data.ts';
import { flightDataRepo, flightDataWrites } from '#data/postgres/flight-data/flight-data.ts';
import { flightDataErrors } from '../../flight-data/errors.ts';
import { writableOfp } from '../../ofp/access.ts';
import { ofpRightErrors } from '../../ofp/share-errors.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'flightDataSave',
  spec: ['2.3', '4.2'],
  summary:
    'Creates or replaces a section of the data of a flight plan, unless expectedVersion or lastDownloadedAt show that it has changed.',
  auth: 'jwt',
  devKey: null,
  maxBodyBytes: maxFlightDataBodyBytes,
  opaque: ['payload'],
  dialect: 'flat',
  errors: {
    ...flightDataErrors,
    ...ofpRightErrors,
    MISSING_PAYLOAD: { status: 400, message: 'payload is required.' },
    INVALID_PAYLOAD: { status: 400, message: 'payload must be an object, a list or a text.' },
    INVALID_FIELD: 400,
    INVALID_TIMESTAMP: {
      status: 400,
      message: 'lastDownloadedAt must be a time like 2026-09-16T12:00:00Z or 2026-09-16 12:00:00 (UTC).',
    },
    PAYLOAD_TOO_LARGE: { status: 413, message: 'The payload may have at most 4194304 bytes.' },
    VERSION_CONFLICT: {
      status: 409,
      message: 'The stored data are newer. Take them over, or save again with their version and updatedAt.',
      extra: z.strictObject({ current: flightDataRowSchema }),
    },
  },
  unknownKeys: 'ignored',
  input: z.object({
    ...rowKeyFields(),
    payload: payloadField(),
    expectedVersion: versionField(),
    lastDownloadedAt: lastDownloadedAtField(),
  }),
  output: z.strictObject({ data: flightDataRowSchema, ...ignoredField }),
  tx: 'manual',
  example: {
    ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ',
    dataKey: 'fuel',
    payload: { blockKg: 8_400 },
    expectedVersion: 3,
  },
  handler: async ({ input, caller: { userId }, db, single, now, fail }) => {
    for (;;) {
      const saved = await single((tx) => flightDataWrites(tx).save({ ...input, userId, now }));
      if (saved) return { data: flightDataRowView(saved) };
      await writableOfp(db, { ofpId: input.ofpId, userId, now });
      const current = await flightDataRepo(db).get({ ...input, userId, now });
      // Without a row it was deleted, or the share accepted, just now: nothing prevents it any longer.
      if (current?.row)
        throw fail('VERSION_CONFLICT', { extra: { current: flightDataRowView(current.row) } });
    }
  },
});
