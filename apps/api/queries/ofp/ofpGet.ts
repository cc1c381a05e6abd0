import { z } from 'zod';
import { idField, listField, textField } from '#domain/fields/index.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { normalizedOfpSchema } from '#domain/ofp/schema.ts';
import type { NormalizedOfp } from '#domain/ofp/schema.ts';
import { pickMembers } from '#domain/text/json-members.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { ofpDetailSchema, storedDetail } from './common/plan.ts';
import { ofpErrors } from './common/ofp.ts';
import { defineQuery } from '../../define.ts';
import { isoSeconds } from '#domain/time.ts';

/** The named members, or all if none are named. */
const sectionsOf = <T extends object>(document: T, names: readonly string[] | null | undefined): Partial<T> =>
  names
    ? (Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name))) as Partial<T>)
    : document;

/** Any object, sent as the stored text. */
const originalSchema = z
  .unknown()
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} });

const originalOf = (text: string, names: readonly string[] | null | undefined) => {
  const wanted = names ? pickMembers(text, names) : text;
  return jsonText(wanted, Buffer.byteLength(wanted));
};

export default defineQuery({
  name: 'ofpGet',
  get: { maxAgeSeconds: 0 },
  spec: ['4.2', 'G-06'],
  summary: 'A stored flight plan: its summary, normalised, and the document as imported.',
  // The document names the crew and may be megabytes long.
  isBodyLogged: false,
  errors: { ...ofpErrors, INVALID_FIELD: 400 },
  input: z.strictObject({
    ofpId: ofpIdField(),
    view: z.enum(['full', 'summary', 'normalized', 'original'], 'INVALID_FIELD').default('full'),
    sections: listField(textField(60), { max: 60 })
      .nullish()
      .describe('top-level fields of the documents to return, for example navlog; if absent, all'),
    revision: idField().nullish().describe('one of `revisions`; if absent, the current one'),
  }),
  output: z.strictObject({
    ofp: ofpDetailSchema,
    revisions: z.array(
      z.strictObject({ revision: z.int(), generatedAt: z.string().nullable(), importedAt: z.string() }),
    ),
    normalized: normalizedOfpSchema.partial().optional(),
    original: originalSchema.optional(),
  }),
  example: { ofpId: 'OFP-abcdefghijklmnopqrst', view: 'normalized', sections: ['navlog'] },
  handler: async ({ input, caller, db, aircraft, caches, identities, now, fail }) => {
    const { ofpId, view, sections } = input;
    const isWhole = view === 'full' || view === 'normalized';
    const hasOriginal = view === 'full' || view === 'original';
    const wanted = { revision: input.revision ?? null, isWhole, hasOriginal };
    const found = await storedDetail({ caller, db, aircraft, caches, identities, now }, ofpId, wanted);
    if (!found) throw fail('OFP_NOT_FOUND');
    const { ofp, plan, texts, revisions } = found;
    return {
      ofp,
      revisions: revisions.map((one) => ({
        revision: one.revision,
        generatedAt: one.generatedAt && isoSeconds(one.generatedAt),
        importedAt: isoSeconds(one.importedAt),
      })),
      ...(isWhole ? { normalized: sectionsOf(plan as NormalizedOfp, sections) } : {}),
      ...(texts.original === null ? {} : { original: originalOf(texts.original, sections) }),
    };
  },
});
