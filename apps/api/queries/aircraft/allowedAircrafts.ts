import { z } from 'zod';
import { catalogueEntrySchema } from '#domain/aircraft/catalogue.ts';
import { defineQuery } from '../../define.ts';

const entriesSchema = z.array(catalogueEntrySchema);

export default defineQuery({
  name: 'allowedAircrafts',
  spec: ['2.8', '4.7'],
  summary: 'Standard aircraft, the fleet of the user and that of the virtual airline.',
  auth: 'jwt',
  devKey: null,
  dialect: 'bare',
  errors: {},
  input: z.object({}),
  output: z.strictObject({
    availableAircraft: entriesSchema,
    userFleet: entriesSchema,
    virtualAirlineFleet: entriesSchema,
  }),
  tx: 'read',
  example: {},
  keepsAnswers: true,
  // Until there are fleets, everyone may use the same aircraft.
  handler: async ({ aircraft, keep }) =>
    keep([aircraft], '', () => ({
      availableAircraft: [...aircraft.catalogue],
      userFleet: [],
      virtualAirlineFleet: [],
    })),
});
