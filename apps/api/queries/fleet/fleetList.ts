import { z } from 'zod';
import { fleetRow, fleetRowSchema } from '#domain/fleet/row.ts';
import { deletedRowsField, includeDeletedField } from '#domain/fields/deletion.ts';
import { pageFields, scopeField } from '#domain/fields/index.ts';
import { airlinesOf } from '#domain/fleet/types.ts';
import { fleetRepo } from '#store/postgres/fleet/fleet.ts';
import { deletedRows } from '../sync/common/feed.ts';
import { defineQuery } from '../../define.ts';

const maxCommunity = 1_000;
const rowsSchema = z.array(fleetRowSchema);

export default defineQuery({
  name: 'fleetList',
  get: { maxAgeSeconds: 0 },
  spec: ['2.4', '4.3'],
  summary: 'Fleet profiles of the caller, of their virtual airlines, and those shared with everyone.',
  dialect: 'checklist',
  errors: { INVALID_FIELD: 400 },
  input: z.strictObject({
    ...pageFields({ preset: 100, max: 1_000 }),
    scope: scopeField(),
    includeDeleted: includeDeletedField(),
  }),
  output: z.strictObject({
    userFleet: rowsSchema,
    vaFleet: rowsSchema.describe("profiles of all the caller's virtual airlines"),
    communityFleet: rowsSchema.describe(
      'this page of the first 1000 community profiles: recommended ones first, then most recently changed; the other lists are always complete',
    ),
    ...deletedRowsField,
  }),
  example: {},
  handler: async ({ db, caller, input, now }) => {
    const { limit, offset, scope } = input;
    const [own, community, ...airlines] = await Promise.all([
      fleetRepo(db).ofOwner({ userId: caller.userId }),
      scope === 'own' ? [] : fleetRepo(db).community(maxCommunity),
      ...airlinesOf(caller).map((vaId) => fleetRepo(db).ofOwner({ vaId })),
    ]);
    const apiKey = caller.apiKey();
    return {
      userFleet: own.map((profile) => fleetRow(profile, apiKey)),
      vaFleet: airlines.flat().map((profile) => fleetRow(profile, null)),
      communityFleet: community.slice(offset, offset + limit).map((profile) => fleetRow(profile, null)),
      ...(await deletedRows({ db, caller, input, now }, 'fleet')),
    };
  },
});
