import { z } from 'zod';
import { deletedRowsField, includeDeletedField } from '#domain/fields/deletion.ts';
import { limitField, optionalTextField, textField } from '#domain/fields/index.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { ofpSummarySchema, summaryOf } from '#domain/ofp/summary.ts';
import { ofpRepo } from '#store/postgres/ofp/ofps.ts';
import { ofpAccessShape } from './common/plan.ts';
import { deletedRows } from '../sync/common/feed.ts';
import { defineQuery } from '../../define.ts';

/** A position in the list, after which the next page starts. */
interface Cursor {
  importedAt: Date;
  id: string;
}

const cursorOf = ({ importedAt, id }: Cursor): string => `${importedAt.getTime()}~${id}`;

/** Null for the first page. */
const cursorField = textField(80)
  .transform((text, context): Cursor | null => {
    const [, ms, id] = /^(\d{1,15})~([A-Za-z0-9._-]{1,64})$/.exec(text) ?? [];
    if (ms !== undefined && id !== undefined) return { importedAt: new Date(Number(ms)), id };
    if (text !== '')
      context.addIssue({
        code: 'custom',
        message: 'INVALID_FIELD',
        params: { problem: 'must be the nextCursor of the page before; the first page has none' },
      });
    return null;
  })
  .nullish()
  .transform((cursor) => cursor ?? null);

export default defineQuery({
  name: 'ofpList',
  get: { maxAgeSeconds: 0 },
  spec: ['4.2', 'G-06'],
  summary: 'The stored flight plans, the latest import first.',
  errors: { INVALID_FIELD: 400 },
  input: z.strictObject({
    limit: limitField({ preset: 50, max: 100 }),
    before: cursorField.describe('`nextCursor` of the previous page'),
    include: z.enum(['own', 'shared', 'all'], 'INVALID_FIELD').default('own'),
    search: optionalTextField(64).describe(
      'words that must all occur in the name, call sign, flight number, registration, type or airports',
    ),
    includeDeleted: includeDeletedField(),
  }),
  output: z.strictObject({
    count: z.int(),
    hasMore: z.boolean(),
    nextCursor: z.string().nullable(),
    items: z.array(
      z.strictObject({
        ...ofpSummarySchema.shape,
        ...ofpAccessShape,
        flightDataCount: z.int(),
        flightDataRevision: z.int().describe('raised whenever flight data of the plan are saved or deleted'),
        shareCount: z.int().describe('number of usable shares; 0 unless the caller is the owner'),
      }),
    ),
    ...deletedRowsField,
    ...ignoredField,
  }),
  example: { limit: 20 },
  handler: async ({ input, caller, db, now }) => {
    const { limit, before, include, search } = input;
    const found = await ofpRepo(db).page(
      { userId: caller.userId, now },
      { include, limit: limit + 1, before, words: search?.split(/\s+/) ?? [] },
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const hasMore = found.length > limit;
    return {
      count: page.length,
      hasMore,
      nextCursor: hasMore && last ? cursorOf(last) : null,
      items: page.map((row) => ({
        ...summaryOf(row, now),
        access: row.access,
        flightDataCount: row.flightDataCount,
        flightDataRevision: row.flightDataRevision,
        shareCount: row.shareCount,
      })),
      ...(await deletedRows({ db, caller, input, now }, 'ofp')),
    };
  },
});
