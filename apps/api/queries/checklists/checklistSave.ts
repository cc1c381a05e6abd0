import { z } from 'zod';
import { aircraftTypesField, documentField } from '#domain/checklists/document.ts';
import { basedOnField, writableIdField } from '#domain/checklists/ids.ts';
import { optionalTextField, requiredTextField } from '#domain/fields/index.ts';
import { alreadyField, clientIdField } from '#domain/fields/client-id.ts';
import {
  deletedError,
  ifDeletedField,
  recreated,
  recreatedField,
  returnField,
} from '#domain/fields/deletion.ts';
import { expectedVersionField, revisionField, revisionSchema } from '#domain/fields/revision.ts';
import { wireTime } from '#domain/time.ts';
import { isPrintable } from '#domain/text/controls.ts';
import { switchField, vaFields } from '#domain/virtual-airlines/fields.ts';
import { originalOf, ownerOf, writeErrors } from './common/checklist.ts';
import { createsChecklist, fullError, saveChecklist, standardVersion } from './common/save.ts';
import { storageErrors } from '../users/common/users.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'checklistSave',
  spec: ['2.2', '4.1'],
  summary:
    'Creates a checklist, or replaces one of the caller by its id; absent fields of an existing checklist keep their values.',
  maxBodyBytes: 2_097_152,
  dialect: 'checklist',
  errors: {
    ...writeErrors,
    ...storageErrors,
    CHECKLISTS_FULL: fullError,
    CHECKLIST_DELETED: deletedError('checklist'),
    INVALID_NAME: {
      status: 400,
      message: 'name is missing, longer than 150 characters, or has invisible characters or line breaks.',
    },
    INVALID_VERSION: { status: 400, message: 'version must be a text of at most 30 characters.' },
    INVALID_STRUCTURE: {
      status: 400,
      message: 'The checklist does not have the required structure or exceeds a limit.',
    },
  },
  input: z.strictObject({
    checklistId: z.preprocess((given) => (given === '' ? null : given), writableIdField().nullish()),
    name: requiredTextField(150, { missing: 'INVALID_NAME', invalid: 'INVALID_NAME' }).refine(
      isPrintable,
      'INVALID_NAME',
    ),
    version: optionalTextField(30, { invalid: 'INVALID_VERSION' }),
    description: optionalTextField(255, { invalid: 'INVALID_STRUCTURE' }),
    aircraftTypes: aircraftTypesField(),
    basedOn: basedOnField(),
    originalRevision: revisionField().describe(
      'revision of the original from which this was copied or with which it was compared; if absent, a new copy takes the current revision',
    ),
    clientId: clientIdField(),
    expectedVersion: expectedVersionField(),
    return: returnField(),
    ifDeleted: ifDeletedField('the answer is NOT_FOUND'),
    ...vaFields(),
    shareCommunity: switchField('INVALID_STRUCTURE').nullish(),
    checklist: documentField(),
  }),
  output: z.strictObject({
    checklistId: z.string(),
    revision: revisionSchema,
    updatedAt: z.string(),
    saved: z.boolean(),
    ...recreatedField,
    ...alreadyField,
  }),
  tx: 'write',
  example: {
    name: 'My A320',
    checklist: {
      checklists: [
        {
          title: 'Before start',
          order: 1,
          items: [
            {
              challenge: 'Beacon',
              order: 1,
              response: 'On',
              isLine: false,
              selfDetected: true,
              note: null,
            },
          ],
        },
      ],
    },
  },
  creates: { ...createsChecklist, edits: ['checklistId'] },
  handler: async (ctx) => {
    const { input, caller, db, now } = ctx;
    const { checklistId, name, description, basedOn } = input;
    const owner = await ownerOf(db, caller.userId, input);
    const isNew = typeof checklistId !== 'string';
    const original = await originalOf(ctx, input);
    const contents = {
      name,
      version: input.version === null ? standardVersion : input.version,
      description,
      aircraftTypes: input.aircraftTypes ?? (isNew && original ? [...original.aircraftTypes] : undefined),
      basedOn,
      originRevision: original?.revision,
      comparedRevision: input.originalRevision,
      shareCommunity: input.shareCommunity ?? undefined,
      document: { name, ...input.checklist },
    };
    const call = { ...ctx, owner, returned: input.return };
    const { deletion, ...saved } = await saveChecklist(call, isNew ? null : checklistId, input, contents);
    await ctx.created?.(db, saved.checklistId);
    return { ...saved, updatedAt: wireTime(now), saved: true, ...recreated(deletion) };
  },
});
