import { z } from 'zod';
import { initialsOf, isMine } from '#domain/checklists/rules.ts';
import { deletedRowsField, includeDeletedField } from '#domain/fields/deletion.ts';
import { pageFields, scopeField } from '#domain/fields/index.ts';
import { revisionSchema } from '#domain/fields/revision.ts';
import { wireTime } from '#domain/time.ts';
import { checklistRepo } from '#data/postgres/checklists/checklists.ts';
import type { ChecklistEntry } from '#data/postgres/checklists/checklists.ts';
import type { Caller } from '#domain/users/types.ts';
import { builtInId, scoreOf } from './common/checklist.ts';
import { deletedRows } from '../sync/common/deleted.ts';
import { defineQuery } from '../../define.ts';

const item = {
  checklist_id: z.string(),
  name: z.string(),
  version: z.string(),
  share_community: z.literal([0, 1]),
  ratingAverage: z.number(),
  rating_count: z.int(),
  isMine: z.boolean(),
  revision: revisionSchema,
  updatedAt: z.string(),
};
const rating = { ratingAverage: z.number(), ratingCount: z.int() };

const itemOf = (row: ChecklistEntry, caller: Caller) => ({
  checklist_id: row.id,
  name: row.name,
  version: row.version,
  share_community: row.shareCommunity ? (1 as const) : (0 as const),
  ratingAverage: row.ratingAverage,
  rating_count: row.ratingCount,
  isMine: isMine(row, caller),
  revision: row.revision,
  updatedAt: wireTime(row.updatedAt),
});

export default defineQuery({
  name: 'checklistList',
  get: { maxAgeSeconds: 0 },
  spec: ['2.2', '4.1'],
  summary:
    'The checklists of the user and of the virtual airlines that they belong to or administer by name, the best of the community, and the built-in ones; with `limit` a page of each list but the last.',
  auth: 'jwt',
  devKey: null,
  dialect: 'checklist',
  errors: { AUTH_REQUIRED: 401, INVALID_FIELD: 400 },
  input: z.object({
    ...pageFields({ preset: null, max: 500 }),
    scope: scopeField(),
    includeDeleted: includeDeletedField(),
  }),
  output: z.strictObject({
    userChecklists: z.array(z.strictObject(item)),
    vaChecklists: z.array(
      z.strictObject({ ...item, checklistId: z.string(), virtual_airline: z.string().nullable() }),
    ),
    communityChecklists: z
      .array(
        z.strictObject({
          ...item,
          checklistId: z.string(),
          ownerName: z.string(),
          basedOn: z.string().nullable(),
          myRating: z.int().nullable(),
        }),
      )
      .describe('of the 500 best those of the page, the first 100 without `limit`'),
    defaultChecklists: z.array(
      z.strictObject({
        file: z.string(),
        checklistId: z.string(),
        name: z.string(),
        description: z.string(),
        version: z.string(),
        ...rating,
      }),
    ),
    ...deletedRowsField,
  }),
  tx: 'read',
  reads: 'replica',
  example: {},
  handler: async ({ db, caller, input, builtInChecklists, now }) => {
    const { own, airlines, community, builtInScores } = await checklistRepo(db).lists(caller, input);
    return {
      userChecklists: own.map((row) => itemOf(row, caller)),
      vaChecklists: airlines.map((row) => ({
        ...itemOf(row, caller),
        checklistId: row.id,
        virtual_airline: row.vaName,
      })),
      communityChecklists: community.map((row) => ({
        ...itemOf(row, caller),
        checklistId: row.id,
        ownerName: row.vaName ?? row.alias ?? initialsOf(row.firstname ?? '', row.lastname ?? ''),
        basedOn: row.basedOn,
        myRating: row.myRating,
      })),
      defaultChecklists: (input.scope === 'own' ? [] : builtInChecklists.all).map(
        ({ file, name, description, version }) => {
          const score = scoreOf(file, builtInScores);
          return { file, checklistId: builtInId({ file }), name, description, version, ...score };
        },
      ),
      ...(await deletedRows({ db, caller, input, now }, 'checklist')),
    };
  },
});
