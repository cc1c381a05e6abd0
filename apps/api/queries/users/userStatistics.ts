import { z } from 'zod';
import { timeZoneField, usageHabits, usageHabitsSchema } from '#domain/users/statistics.ts';
import { calculationCountsSchema } from '#domain/users/user-object.ts';
import { allowanceSchema } from '#domain/subscriptions/allowance.ts';
import { librarySpaceRepo } from '#data/postgres/library/spaces.ts';
import { calculationRepo } from '#data/postgres/performance/calculations.ts';
import { allowanceRepo } from '#data/postgres/subscriptions/allowances.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'userStatistics',
  spec: ['2.7', '4.6'],
  summary:
    'Calculations of the user by kind, place and time, and the remaining allowance; habits in the given time zone.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: { INVALID_FIELD: 400 },
  input: z.object({ timeZone: timeZoneField('INVALID_FIELD') }),
  output: z.strictObject({
    query: z.literal('userStatistics'),
    calculations: calculationCountsSchema,
    allowance30d: allowanceSchema,
    mostUsedAircraft: z.array(z.strictObject({ profile: z.string(), total: z.int() })),
    usageHabits: usageHabitsSchema,
    mostUsedAirports: z.array(z.strictObject({ icao: z.string(), total: z.int() })),
    statistics: z.strictObject({ libraryUsedBytes: z.int(), libraryAvailableMb: z.int() }),
  }),
  tx: 'read',
  example: { timeZone: 'Europe/Berlin' },
  handler: async ({ db, caller, input, now }) => {
    const [usage, allowance30d, libraryUsedBytes] = await Promise.all([
      calculationRepo(db).usage(caller.userId),
      allowanceRepo(db).of(caller, now),
      librarySpaceRepo(db).usedBytes({ type: 'user', userId: caller.userId }),
    ]);
    return {
      query: 'userStatistics' as const,
      calculations: usage.counts,
      allowance30d,
      mostUsedAircraft: usage.mostUsedAircraft,
      usageHabits: usageHabits(usage.quarters, input.timeZone ?? 'UTC'),
      mostUsedAirports: usage.mostUsedAirports,
      statistics: { libraryUsedBytes, libraryAvailableMb: caller.entitlement.product.libraryQuotaMb },
    };
  },
});
