/** A checklist by any of its ids, as a caller may read it. */
import type { z } from 'zod';
import type { BuiltInChecklists } from '#domain/checklists/built-in.ts';
import { mayRead } from '#domain/checklists/rules.ts';
import type { Caller } from '#domain/users/types.ts';
import { checklistRepo } from '#data/postgres/checklists/checklists.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { builtInId, findId, scoreOf } from './checklist.ts';
import { checklistView } from './shown.ts';
import type { checklistSchema } from './shown.ts';

interface ReadCall {
  db: ReadDb;
  caller: Caller;
  builtInChecklists: BuiltInChecklists;
}

/** NOT_FOUND also for a text that is the id of nothing. */
export const checklistFound = async (
  { db, caller, builtInChecklists }: ReadCall,
  id: string,
): Promise<z.output<typeof checklistSchema> | 'NOT_FOUND' | 'FORBIDDEN'> => {
  const repo = checklistRepo(db);
  const found = findId(id, builtInChecklists);
  if (!found) return 'NOT_FOUND';
  if ('builtIn' in found) {
    const { file, name, version, description, aircraftTypes, document } = found.builtIn;
    return {
      checklistId: builtInId(found.builtIn),
      name,
      version,
      description,
      aircraftTypes: [...aircraftTypes],
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
  if (!row) return 'NOT_FOUND';
  return mayRead(row, caller) ? checklistView(row, caller, builtInChecklists) : 'FORBIDDEN';
};
