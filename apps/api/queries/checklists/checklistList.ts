import { z } from 'zod';
import { aircraftTypesSchema, isAircraftType } from '#domain/checklists/document.ts';
import type { BuiltInChecklists } from '#domain/checklists/built-in.ts';
import { originShape } from '#domain/checklists/origin.ts';
import { initialsOf, isMine } from '#domain/checklists/rules.ts';
import { isFoundBuiltIn, searchWords } from '#domain/checklists/search.ts';
import { deletedRowsField, includeDeletedField } from '#domain/fields/deletion.ts';
import { optionalTextField, pageFields, scopeField } from '#domain/fields/index.ts';
import { revisionSchema } from '#domain/fields/revision.ts';
import { wireTime } from '#domain/time.ts';
import { checklistListRepo } from '#store/postgres/checklists/lists.ts';
import type { ChecklistEntry } from '#store/postgres/checklists/rows.ts';
import type { Caller } from '#domain/users/types.ts';
import { builtInId, originOf, scoreOf, scoreShape } from './common/checklist.ts';
import { deletedRows } from '../sync/common/feed.ts';
import type { AircraftLibrary } from '../../services/aircraft-library.ts';
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
  aircraftTypes: aircraftTypesSchema.optional(),
  ...originShape,
};

const itemOf = (row: ChecklistEntry, caller: Caller, builtIns: BuiltInChecklists) => ({
  checklist_id: row.id,
  name: row.name,
  version: row.version,
  share_community: row.shareCommunity ? (1 as const) : (0 as const),
  ratingAverage: row.ratingAverage,
  rating_count: row.ratingCount,
  isMine: isMine(row, caller),
  revision: row.revision,
  updatedAt: wireTime(row.updatedAt),
  ...(row.aircraftTypes.length > 0 && { aircraftTypes: row.aircraftTypes }),
  ...originOf(row, caller, builtIns),
});

/** The type for a type or profile; null for anything else. */
const typeOf = (given: string, { standard }: AircraftLibrary): string | null => {
  const type = given.toUpperCase();
  return standard.named(given)?.profile.model.type ?? (isAircraftType(type) ? type : null);
};

export default defineQuery({
  name: 'checklistList',
  get: { maxAgeSeconds: 0 },
  spec: ['2.2', '4.1'],
  summary:
    'Checklists of the user and their virtual airlines by name, the best of the community, and the built-in ones; with `limit` a page of each list but the last.',
  dialect: 'checklist',
  errors: { INVALID_FIELD: 400 },
  input: z.strictObject({
    ...pageFields({ preset: null, max: 500 }),
    scope: scopeField(),
    includeDeleted: includeDeletedField(),
    aircraft: optionalTextField(60).describe(
      'only checklists for this aircraft: an ICAO type designator, or a profile key `file`',
    ),
    search: optionalTextField(64).describe('only checklists with all these words or word beginnings'),
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
      .describe('one page of the 500 best-rated ones; if `limit` is absent, the first 100'),
    defaultChecklists: z.array(
      z.strictObject({
        file: z.string(),
        checklistId: z.string(),
        name: z.string(),
        description: z.string(),
        version: z.string(),
        aircraftTypes: aircraftTypesSchema,
        ...scoreShape,
      }),
    ),
    ...deletedRowsField,
  }),
  example: {},
  handler: async ({ db, caller, input, builtInChecklists: builtIns, aircraft, now, fail }) => {
    const aircraftType = input.aircraft ? typeOf(input.aircraft, aircraft) : null;
    if (input.aircraft && aircraftType === null) throw fail('INVALID_FIELD', { field: 'aircraft' });
    const search = { aircraftType, words: searchWords(input.search) };
    const lists = await checklistListRepo(db).lists(caller, { ...input, search });
    return {
      userChecklists: lists.own.map((row) => itemOf(row, caller, builtIns)),
      vaChecklists: lists.airlines.map((row) => ({
        ...itemOf(row, caller, builtIns),
        checklistId: row.id,
        virtual_airline: row.vaName,
      })),
      communityChecklists: lists.community.map((row) => ({
        ...itemOf(row, caller, builtIns),
        checklistId: row.id,
        ownerName: row.vaName ?? row.alias ?? initialsOf(row.firstname ?? '', row.lastname ?? ''),
        basedOn: row.basedOn,
        myRating: row.myRating,
      })),
      defaultChecklists: (input.scope === 'own' ? [] : builtIns)
        .filter((builtIn) => isFoundBuiltIn(builtIn, search))
        .map(({ file, name, description, version, aircraftTypes }) => ({
          file,
          checklistId: builtInId({ file }),
          name,
          description,
          version,
          aircraftTypes: [...aircraftTypes],
          ...scoreOf(file, lists.builtInScores),
        })),
      ...(await deletedRows({ db, caller, input, now }, 'checklist')),
    };
  },
});
