import { z } from 'zod';
import { catalogueEntrySchema } from '#domain/aircraft/catalogue.ts';
import { airlinesOf } from '#domain/fleet/types.ts';
import { defineQuery } from '../../define.ts';

const entriesSchema = z.array(catalogueEntrySchema);

export default defineQuery({
  name: 'allowedAircrafts',
  get: { maxAgeSeconds: 0 },
  spec: ['2.8', '4.7'],
  summary: "Standard aircraft, the user's fleet and the virtual airline's fleet.",
  dialect: 'bare',
  output: z.strictObject({
    availableAircraft: entriesSchema,
    userFleet: entriesSchema,
    virtualAirlineFleet: entriesSchema,
  }),
  handler: async ({ aircraft, caller }) => {
    const [own, ...airlines] = await Promise.all([
      aircraft.entriesOf({ userId: caller.userId }),
      ...airlinesOf(caller).map((vaId) => aircraft.entriesOf({ vaId })),
    ]);
    return {
      availableAircraft: [...aircraft.standard.catalogue],
      userFleet: [...own],
      virtualAirlineFleet: airlines.flat(),
    };
  },
});
