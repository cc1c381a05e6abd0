import { z } from 'zod';
import { timeZoneField, usageHabits, usageHabitsSchema } from '#domain/users/statistics.ts';
import { calculationCountsSchema } from '#domain/users/user-object.ts';
import { allowanceSchema } from '#domain/subscriptions/allowance.ts';
import { userStatisticsRepo } from '#store/postgres/users/statistics.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'userStatistics',
  spec: ['2.7', '4.6'],
  summary:
    'Calculations of the user by kind, place and time, and the remaining allowance; habits in the given time zone.',
  errors: { INVALID_FIELD: 400 },
  input: z.strictObject({ timeZone: timeZoneField('INVALID_FIELD') }),
  output: z.strictObject({
    query: z.literal('userStatistics'),
    calculations: calculationCountsSchema,
    allowance30d: allowanceSchema,
    mostUsedAircraft: z.array(z.strictObject({ profile: z.string(), total: z.int() })),
    usageHabits: usageHabitsSchema,
    mostUsedAirports: z.array(z.strictObject({ icao: z.string(), total: z.int() })),
    statistics: z.strictObject({
      libraryUsedBytes: z.int(),
      libraryAvailableMb: z.int(),
      storageUsedBytes: z.int(),
      storageQuotaMb: z.int(),
      checklistCount: z.int(),
      checklistLimit: z.int(),
    }),
  }),
  example: { timeZone: 'Europe/Berlin' },
  handler: async ({ db, caller, input, now }) => {
    const found = await userStatisticsRepo(db).of(caller, now);
    return {
      query: 'userStatistics' as const,
      calculations: found.counts,
      allowance30d: found.allowance,
      mostUsedAircraft: found.mostUsedAircraft,
      usageHabits: usageHabits(found.days, input.timeZone ?? 'UTC'),
      mostUsedAirports: found.mostUsedAirports,
      statistics: {
        libraryUsedBytes: found.libraryUsedBytes,
        libraryAvailableMb: caller.entitlement.product.libraryQuotaMb,
        storageUsedBytes: found.storageUsedBytes,
        storageQuotaMb: caller.entitlement.product.storageQuotaMb,
        checklistCount: found.checklists,
        checklistLimit: caller.entitlement.product.maxChecklists,
      },
    };
  },
});
