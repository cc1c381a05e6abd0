import { z } from 'zod';
import { pastCalculationSchema, pastCalculationView, sendableRequest } from '#domain/performance/history.ts';
import { calculationRepo } from '#store/postgres/performance/calculations.ts';
import { withPictures } from './common/answer.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'performanceGet',
  get: { maxAgeSeconds: 0 },
  spec: ['G-44'],
  summary:
    'A calculation of the last 30 days: its request, ready to be sent again, its unchanged result and its drawings.',
  dialect: 'bare',
  errors: {
    MISSING_FIELD: 400,
    INVALID_FIELD: 400,
    CALCULATION_NOT_FOUND: { status: 404, message: 'There is no calculation of yours with this id.' },
  },
  input: z.strictObject({
    calculationId: z.uuid({
      error: ({ input }) => (input === undefined || input === null ? 'MISSING_FIELD' : 'INVALID_FIELD'),
    }),
  }),
  output: z.strictObject({
    ...pastCalculationSchema.shape,
    request: z.looseObject({}),
    result: z.looseObject({}),
  }),
  example: { calculationId: '59173612-0d5c-4a3e-9d0b-3f6f1f0e9c11' },
  handler: async ({ input: { calculationId }, caller: { userId }, db, config, fail }) => {
    const found = await calculationRepo(db).get(userId, calculationId);
    if (!found) throw fail('CALCULATION_NOT_FOUND');
    const { request, result, isDrawn, ...past } = found;
    const drawn = isDrawn ? withPictures(result, config.BASE_URL, past) : result;
    return { ...pastCalculationView(past), request: sendableRequest(request), result: drawn };
  },
});
