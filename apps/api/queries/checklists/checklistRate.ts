import { z } from 'zod';
import { readableIdField } from '#domain/checklists/ids.ts';
import { assertRateable } from '#domain/checklists/rules.ts';
import { checklistWrites } from '#store/postgres/checklists/checklists.ts';
import { builtInId, rateErrors, resolveId, scoreShape } from './common/checklist.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'checklistRate',
  spec: ['2.2', '4.1'],
  summary: 'Rates a checklist of the community or a built-in one; a second rating replaces the first.',
  dialect: 'checklist',
  errors: rateErrors,
  input: z.strictObject({
    checklistId: readableIdField(),
    rating: z.int('INVALID_RATING').min(1, 'INVALID_RATING').max(5, 'INVALID_RATING'),
  }),
  output: z.strictObject({ checklistId: z.string(), rating: z.int(), ...scoreShape }),
  tx: 'write',
  example: { checklistId: 'default:1.3.6:a320-family', rating: 5 },
  handler: async ({ input: { checklistId, rating }, caller, db, now, builtInChecklists, fail }) => {
    const writes = checklistWrites(db);
    const found = resolveId(checklistId, builtInChecklists);
    if ('builtIn' in found) {
      const score = await writes.rateBuiltIn(found.builtIn.file, caller.userId, rating, now);
      return { checklistId: builtInId(found.builtIn), rating, ...score };
    }
    const checklist = await writes.hold(found.stored);
    if (!checklist) throw fail('NOT_FOUND');
    assertRateable(checklist, caller);
    const score = await writes.rate(found.stored, caller.userId, rating, now);
    return { checklistId: found.stored, rating, ...score };
  },
});
