import { z } from 'zod';
import {
  maxOfpBodyBytes,
  maxOfpBytes,
  ofpImportInputSchema,
  requestedSource,
} from '#domain/ofp/import-request.ts';
import { ofpWarningSchema } from '#domain/ofp/warnings.ts';
import { alreadyField } from '#domain/fields/client-id.ts';
import { ofpRepo } from '#store/postgres/ofp/ofps.ts';
import { detailOf, ofpDetailSchema, profileOf, storedDetail } from './common/plan.ts';
import { importWarnings, preferencesOf, readImport, storePlan } from './common/import.ts';
import { ofpImportErrors, ownOfp } from './common/ofp.ts';
import { storageQuotaOf, withinStorage } from '../users/common/users.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'ofpImport',
  spec: ['4.2', 'G-06'],
  summary: 'Imports a flight plan from SimBrief, or from a document in JSON or XML, and stores it.',
  limits: [{ name: 'ofpImport', points: 240, perSeconds: 3600, by: 'user' }],
  maxBodyBytes: maxOfpBodyBytes,
  upload: {
    maxBytes: maxOfpBytes,
    types: ['application/json', 'application/xml'],
    tooLarge: 'DOCUMENT_TOO_LARGE',
    wrongType: 'UNSUPPORTED_TYPE',
  },
  // The document names the crew, and is stored with the plan.
  isBodyLogged: false,
  errors: ofpImportErrors,
  input: ofpImportInputSchema,
  output: z.strictObject({
    ofpId: z.string(),
    created: z.boolean(),
    updated: z.boolean(),
    unchanged: z.boolean(),
    supersedes: z
      .string()
      .nullable()
      .describe(
        'the stored plan of the same flight number, date, origin and destination; null: there is none',
      ),
    warnings: z.array(ofpWarningSchema),
    ofp: ofpDetailSchema,
    ...alreadyField,
  }),
  // SimBrief is called before the transaction.
  tx: 'manual',
  example: { plannerUserId: 123_456 },
  creates: {
    kind: 'ofp',
    edits: ['ofpId'],
    again: async ({ rowId: ofpId, ...call }) => {
      const stored = await storedDetail(call, ofpId);
      const outcome = { created: false, updated: false, unchanged: true, supersedes: null, warnings: [] };
      return stored && { ofpId, ...outcome, ofp: stored.ofp };
    },
  },
  handler: async (call) => {
    const { input, caller, db, transaction, now } = call;
    const { userId } = caller;
    const source = requestedSource(input, call.file !== null);
    if (input.ofpId) await ownOfp(db, { ofpId: input.ofpId, userId, now });
    const preferences = await preferencesOf(call);
    const plan = await readImport({ ...call, source }, preferences);
    const formerIds = await ofpRepo(db).fleetIds(userId, plan.facts.registration);
    const matched = await profileOf(plan.core, formerIds, call);
    const stored = await transaction((tx) =>
      withinStorage(tx, storageQuotaOf(caller), async () => {
        const outcome = await storePlan(tx, { ...call, plan, source, matched });
        await call.created?.(tx, outcome.row.id);
        return outcome;
      }),
    );
    const { kind } = stored.decision;
    const { ofp, uses } = await detailOf(call, stored.row, plan.core, matched);
    return {
      ofpId: stored.row.id,
      created: kind === 'new',
      updated: kind === 'update',
      unchanged: kind === 'unchanged',
      supersedes: stored.supersedes,
      warnings: importWarnings(plan, stored, matched, preferences, uses, now),
      ofp,
    };
  },
});
