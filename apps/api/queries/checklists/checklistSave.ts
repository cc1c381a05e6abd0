import { z } from 'zod';
import { documentField } from '#domain/checklists/document.ts';
import { basedOnField, writableIdField } from '#domain/checklists/ids.ts';
import { optionalTextField, requiredTextField } from '#domain/fields/index.ts';
import { assertExpected, expectedVersionField, revisionSchema } from '#domain/fields/revision.ts';
import { wireTime } from '#domain/time.ts';
import { switchField, vaFields } from '#domain/virtual-airlines/fields.ts';
import { checklistRepo, checklistWrites } from '#data/postgres/checklists/checklists.ts';
import { assertOrigin, notChanged, ownerOf, writeErrors } from './common/checklist.ts';
import { storageErrors, storageQuotaOf, withinStorage } from '../users/common/storage.ts';
import { defineQuery } from '../../define.ts';

const standardVersion = '1.0';
/** Of an airline; those of a user have the limit of the product. */
const maxOfAirline = 500;

export default defineQuery({
  name: 'checklistSave',
  spec: ['2.2', '4.1'],
  summary:
    'Creates a checklist, or replaces an own one by its id; absent fields of an existing one keep their values.',
  auth: 'jwt',
  devKey: null,
  maxBodyBytes: 2_097_152,
  dialect: 'checklist',
  errors: {
    ...writeErrors,
    ...storageErrors,
    CHECKLISTS_FULL: {
      status: 409,
      message: 'The user has as many checklists as the product allows, or the airline 500.',
      extra: z.strictObject({ checklistCount: z.int(), checklistLimit: z.int() }),
    },
    INVALID_NAME: { status: 400, message: 'name is missing or longer than 150 characters.' },
    INVALID_VERSION: { status: 400, message: 'version must be a text of at most 30 characters.' },
    INVALID_STRUCTURE: {
      status: 400,
      message: 'The checklist does not have the required structure or exceeds a limit.',
    },
  },
  input: z.object({
    checklistId: z.preprocess((given) => (given === '' ? null : given), writableIdField().nullish()),
    name: requiredTextField(150, { missing: 'INVALID_NAME', invalid: 'INVALID_NAME' }),
    version: optionalTextField(30, { invalid: 'INVALID_VERSION' }),
    description: optionalTextField(255, { invalid: 'INVALID_STRUCTURE' }),
    basedOn: basedOnField(),
    expectedVersion: expectedVersionField(),
    ...vaFields(),
    shareCommunity: switchField('INVALID_STRUCTURE').nullish(),
    checklist: documentField(),
  }),
  output: z.strictObject({
    checklistId: z.string(),
    revision: revisionSchema,
    updatedAt: z.string(),
    saved: z.boolean(),
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
  handler: async ({ input, caller, db, builtInChecklists, now, fail }) => {
    const { checklistId, name, description, basedOn } = input;
    const document = { name, ...input.checklist };
    const version = input.version === null ? standardVersion : input.version;
    const shareCommunity = input.shareCommunity ?? undefined;
    const owner = await ownerOf(db, caller.userId, input);
    await assertOrigin(db, input, { caller, builtIns: builtInChecklists });
    const writes = checklistWrites(db);
    const stored = <T>(write: () => Promise<T>) =>
      owner.userId === null ? write() : withinStorage(db, storageQuotaOf(caller), write);
    const { expectedVersion } = input;
    const updatedAt = wireTime(now);
    if (typeof checklistId !== 'string') {
      assertExpected(expectedVersion, null);
      const checklistLimit = owner.userId === null ? maxOfAirline : caller.entitlement.product.maxChecklists;
      const checklistCount = await checklistRepo(db).count(owner);
      if (checklistCount >= checklistLimit)
        throw fail('CHECKLISTS_FULL', { extra: { checklistCount, checklistLimit } });
      const optional = {
        version: version ?? standardVersion,
        description: description ?? null,
        basedOn: basedOn ?? null,
      };
      const contents = { name, ...optional, shareCommunity: shareCommunity ?? false, document };
      return { ...(await stored(() => writes.insert(owner, contents, now))), updatedAt, saved: true };
    }
    const contents = { name, version, description, basedOn, shareCommunity, document };
    const changed = await stored(() => writes.update(checklistId, owner, contents, { now, expectedVersion }));
    return changed
      ? { ...changed, updatedAt, saved: true }
      : notChanged(db, { id: checklistId, owner, caller });
  },
});
