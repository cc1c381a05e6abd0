import { z } from 'zod';
import { readableIdField } from '#domain/checklists/ids.ts';
import {
  maxProgressChecklists,
  maxProgressItems,
  progressChange,
  progressItemsField,
  progressSchema,
  progressView,
  unknownItems,
} from '#domain/crew/progress.ts';
import { assertExpected, expectedVersionField } from '#domain/fields/revision.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { progressRepo, progressWrites } from '#store/postgres/crew/crew.ts';
import { canonicalId, idErrors, pagesOf } from '../checklists/common/checklist.ts';
import { ofpErrors, ofpRightErrors, writableOfp } from '../ofp/common/ofp.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'checklistProgressSave',
  spec: ['2.3', '4.2'],
  summary:
    'Ticks or unticks checklist items on a flight. Concurrent ticks of several pilots all count; the first pilot to tick an item is recorded.',
  errors: {
    ...ofpErrors,
    ...ofpRightErrors,
    INVALID_FIELD: 400,
    ...idErrors,
    PROGRESS_FULL: {
      status: 409,
      message: `A flight has the progress of at most ${maxProgressChecklists} checklists, each of ${maxProgressItems} items.`,
    },
    VERSION_CONFLICT: {
      status: 409,
      message: 'The progress has changed since this revision.',
      extra: z.strictObject({ current: progressSchema.nullable() }),
    },
  },
  input: z.strictObject({
    ofpId: ofpIdField(),
    checklistId: readableIdField(),
    items: progressItemsField(),
    reset: z
      .boolean('INVALID_FIELD')
      .default(false)
      .describe('true: clear all ticks before applying `items`'),
    expectedVersion: expectedVersionField(),
  }),
  output: z.strictObject({ ofpId: z.string(), ...progressSchema.shape, ...ignoredField }),
  tx: 'write',
  example: {
    ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ',
    checklistId: 'default:1.3.6:a320-family',
    items: [{ page: 1, item: 1, done: true }],
  },
  handler: async ({ input, caller: { userId }, db, now, builtInChecklists, fail }) => {
    const { ofpId, items, reset, expectedVersion } = input;
    await writableOfp(db, { ofpId, userId, now });
    const unknown = unknownItems(items, await pagesOf(db, input.checklistId, builtInChecklists));
    if (unknown.length > 0) throw fail('INVALID_FIELD', { field: 'items', details: unknown });
    const idOf = (text: string): string => canonicalId(text, builtInChecklists);
    const checklistId = idOf(input.checklistId);
    const [repo, writes] = [progressRepo(db), progressWrites(db)];
    const ids = await repo.checklistIds(ofpId);
    const checklists = new Set(ids.map(idOf));
    if (!checklists.has(checklistId)) {
      assertExpected(expectedVersion, null);
      if (checklists.size >= maxProgressChecklists) throw fail('PROGRESS_FULL');
    }
    const others = ids.filter((id) => id !== checklistId && idOf(id) === checklistId);
    if (others.length > 0) await writes.unite(ofpId, others, checklistId);
    const change = progressChange(items, userId, now);
    const call = { ofpId, checklistId, userId, now, reset, expectedVersion, ...change };
    const saved = await writes.save(call);
    if (!saved) {
      const [current = null] = await repo.ofPlan(ofpId, checklistId);
      throw fail('VERSION_CONFLICT', { extra: { current: current && progressView(current) } });
    }
    if (Object.keys(saved.done).length > maxProgressItems) throw fail('PROGRESS_FULL');
    return { ofpId, ...progressView(saved) };
  },
});
