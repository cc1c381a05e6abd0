import { z } from 'zod';
import { readableIdField } from '#domain/checklists/ids.ts';
import { mayRead } from '#domain/checklists/rules.ts';
import { checklistRepo } from '#data/postgres/checklists/checklists.ts';
import { builtInId, readErrors, resolveId, scoreOf } from './common/checklist.ts';
import { checklistSchema, checklistView } from './common/shown.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'checklistGet',
  get: { maxAgeSeconds: 0 },
  spec: ['2.2', '4.1'],
  summary: 'One checklist with its document, by uuid, default id, or file name of a built-in one.',
  auth: 'jwt',
  devKey: null,
  dialect: 'checklist',
  errors: readErrors,
  input: z.object({ checklistId: readableIdField() }),
  output: checklistSchema,
  tx: 'read',
  example: { checklistId: 'default:1.3.6:a320-family' },
  handler: async ({ input, caller, db, builtInChecklists, fail }) => {
    const repo = checklistRepo(db);
    const found = resolveId(input.checklistId, builtInChecklists);
    if ('builtIn' in found) {
      const { file, name, version, description, document } = found.builtIn;
      return {
        checklistId: builtInId(found.builtIn),
        name,
        version,
        description,
        basedOn: null,
        isDefault: true,
        isMine: false,
        shareCommunity: false,
        ...scoreOf(file, await repo.builtInScores()),
        revision: null,
        updatedAt: null,
        checklist: document,
      };
    }
    const row = await repo.byId(found.stored);
    if (!row) throw fail('NOT_FOUND');
    if (!mayRead(row, caller)) throw fail('FORBIDDEN');
    return checklistView(row, caller);
  },
});
