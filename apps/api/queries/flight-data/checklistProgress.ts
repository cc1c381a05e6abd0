import { z } from 'zod';
import { maxIdLength } from '#domain/checklists/ids.ts';
import { lastOfChecklists, progressSchema, progressView } from '#domain/crew/progress.ts';
import { optionalTextField } from '#domain/fields/index.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { progressRepo } from '#store/postgres/crew/crew.ts';
import { canonicalId } from '../checklists/common/checklist.ts';
import { ofpErrors, readableOfp } from '../ofp/common/ofp.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'checklistProgress',
  get: { maxAgeSeconds: 0 },
  spec: ['2.3', '4.2'],
  summary: 'Completed checklist items of a flight, by whom and when.',
  errors: { ...ofpErrors, INVALID_FIELD: 400 },
  input: z.strictObject({
    ofpId: ofpIdField(),
    checklistId: optionalTextField(maxIdLength).describe(
      'only this checklist; if absent, all checklists of the flight',
    ),
  }),
  output: z.strictObject({ ofpId: z.string(), checklists: z.array(progressSchema) }),
  example: { ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ' },
  handler: async ({ input: { ofpId, checklistId }, caller: { userId }, db, now, builtInChecklists }) => {
    await readableOfp(db, { ofpId, userId, now });
    const idOf = (text: string): string => canonicalId(text, builtInChecklists);
    const all = lastOfChecklists(await progressRepo(db).ofPlan(ofpId, null), idOf).map(progressView);
    const wanted = checklistId ? idOf(checklistId) : null;
    return { ofpId, checklists: all.filter((one) => wanted === null || one.checklistId === wanted) };
  },
});
