import { z } from 'zod';
import { ifDeletedField, returnField } from '#domain/fields/deletion.ts';
import { versionField } from '#domain/fields/index.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import {
  lastDownloadedAtField,
  maxFlightDataBodyBytes,
  payloadField,
  rowKeyFields,
} from '#domain/flight-data/fields.ts';
import { flightDataErrors, flightDataSaveErrors, saveFlightData, savedSchema } from './common/flight-data.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'flightDataSave',
  spec: ['2.3', '4.2'],
  summary:
    "Creates or replaces a section of a flight plan's data, unless expectedVersion or lastDownloadedAt shows that it has changed.",
  maxBodyBytes: maxFlightDataBodyBytes,
  errors: {
    ...flightDataErrors,
    ...flightDataSaveErrors,
    MISSING_PAYLOAD: { status: 400, message: 'payload is required.' },
    INVALID_PAYLOAD: { status: 400, message: 'payload must be an object, a list or a text.' },
    PAYLOAD_TOO_LARGE: { status: 413, message: 'The payload may have at most 4194304 bytes.' },
  },
  input: z.strictObject({
    ...rowKeyFields(),
    payload: payloadField(),
    expectedVersion: versionField(),
    lastDownloadedAt: lastDownloadedAtField(),
    return: returnField(),
    ifDeleted: ifDeletedField('it is created again'),
  }),
  output: z.strictObject({ ...savedSchema, ...ignoredField }),
  // Usually one statement, which needs no transaction.
  tx: 'manual',
  example: {
    ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ',
    dataKey: 'fuel',
    payload: { blockKg: 8_400 },
    expectedVersion: 3,
  },
  handler: ({ input: { ifDeleted, return: returned, ...input }, ...call }) =>
    saveFlightData(call, { ...input, isRefusedIfDeleted: ifDeleted === 'refuse', now: call.now }, returned),
});
