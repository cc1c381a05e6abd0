import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { printWrites } from '#store/postgres/prints/prints.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { briefingFilesOf } from '#domain/prints/files.ts';
import { presetOf } from '#domain/users/units.ts';
import { profileSceneOf } from '../weather/common/route.ts';
import { briefingOf, briefingOutputSchema } from './common/briefing.ts';
import { preferencesOf } from './common/import.ts';
import { ofpErrors } from './common/ofp.ts';
import { briefingDocument } from './common/print-briefing.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'briefing',
  spec: ['2.9', '2.11', '2.12', '4.2', 'G-06'],
  summary:
    'One flight in one answer: weather, runway surfaces and NOTAM at the times of use, winds and SIGMETs on the way, takeoff and landing.',
  devKey: 'weather',
  errors: { ...ofpErrors, INVALID_FIELD: 400 },
  input: z.strictObject({
    ofpId: ofpIdField(),
    performance: z
      .boolean('INVALID_FIELD')
      .default(true)
      .describe('false: omit takeoff and landing, each of which counts as a calculation'),
    files: z
      .boolean('INVALID_FIELD')
      .default(false)
      .describe('true: also return a two-page PDF that includes a picture of the vertical profile'),
  }),
  output: briefingOutputSchema,
  // Calculations run outside the transactions that charge and store them.
  tx: 'manual',
  commits: 'several',
  isCalculation: true,
  example: { ofpId: 'OFP-abcdefghijklmnopqrst' },
  handler: async (ctx) => {
    const { input, caller, caches, winds, config, now, prepare } = ctx;
    const { answer, asked } = await briefingOf(ctx);
    if (!input.files) return { ...answer, files: null };
    const { defaultUnit } = await preferencesOf(ctx);
    const profile = asked && (await profileSceneOf({ caches, winds }, asked.route));
    const document = briefingDocument(answer, presetOf(defaultUnit), now);
    const content = { ofpId: input.ofpId, document, profile };
    const id = randomUUID();
    await prepare.transaction((tx) => printWrites(tx).add({ id, userId: caller.userId, content }, now));
    return { ...answer, files: briefingFilesOf(config.BASE_URL, id, profile !== null, now) };
  },
});
