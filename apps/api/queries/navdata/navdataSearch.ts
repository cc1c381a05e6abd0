import {
  navdataAnswer,
  navdataErrors,
  navdataSearchInputSchema,
  navdataSearchOutputSchema,
} from '#domain/navdata/search.ts';
import { navdataRepo } from '#store/postgres/navdata/navdata.ts';
import { defineQuery } from '../../define.ts';
import { airportWithCode } from '../airports/common/airports.ts';

const noEfb = { status: 403, message: 'EFB access not available for your Developer Key.' };

export default defineQuery({
  name: 'navdataSearch',
  get: { maxAgeSeconds: 3600 },
  spec: ['2.12', '4.7', '5', '7', '8'],
  summary: 'Navaids and waypoints whose identifier equals a text or begins with it, ordered by identifier.',
  devKey: { inCall: 'efb' },
  level: 1,
  dialect: 'navdata',
  errors: {
    ...navdataErrors,
    AUTH_REQUIRED: { status: 401, message: 'Authentication required.' },
    ACCESS_DENIED: noEfb,
    INVALID_DEV_KEY: noEfb,
    SUBSCRIPTION_LEVEL_REQUIRED: {
      status: 403,
      message: 'This feature requires an active subscription (level 1 or higher).',
    },
  },
  input: navdataSearchInputSchema,
  output: navdataSearchOutputSchema,
  example: { ident: 'LAX', exact: true, limit: 10 },
  handler: async ({ input, db, now, caches }) => {
    const points = await navdataRepo(db).search({ ...input, at: now });
    const hint =
      points.length > 0 ? null : airportWithCode(input.ident, await caches.availableAirports.get('all'));
    return { ...navdataAnswer(input.ident, points), ...(hint === null ? {} : { hint }) };
  },
});
