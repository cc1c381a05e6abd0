import { z } from 'zod';
import { limitField } from '#domain/fields/index.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { pastCalculationSchema, pastCalculationView } from '#domain/performance/history.ts';
import { calculationRepo } from '#store/postgres/performance/calculations.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'performanceHistory',
  get: { maxAgeSeconds: 0 },
  spec: ['G-44'],
  summary:
    'Calculations of the last 30 days, the most recent first; performanceGet has each with its result.',
  errors: { INVALID_FIELD: 400 },
  input: z.strictObject({
    limit: limitField({ preset: 20, max: 100 }),
    before: z
      .uuid('INVALID_FIELD')
      .nullish()
      .describe('`calculationId` of the last item on the previous page'),
  }),
  output: z.strictObject({
    count: z.int(),
    hasMore: z.boolean(),
    items: z.array(pastCalculationSchema),
    ...ignoredField,
  }),
  example: { limit: 20 },
  handler: async ({ input: { limit, before = null }, caller: { userId }, db }) => {
    const found = await calculationRepo(db).page(userId, { limit: limit + 1, before });
    const page = found.slice(0, limit);
    return { count: page.length, hasMore: found.length > limit, items: page.map(pastCalculationView) };
  },
});
