/** A pilot's decisions on conflicting edits: merge with the stored row, overwrite it, or give up. */
import type { Client } from '../../../clients/typescript/src/index.ts';
import { EfbError } from '../../../clients/typescript/src/index.ts';
import type { Conflict, Decision } from '../../../clients/typescript/src/outbox/index.ts';
import { ended, keptOver } from './book.ts';
import type { Book } from './book.ts';
import { isList, kindOf, marksOfChecklist, putEdit } from './kinds.ts';
import type { Kind, Memo } from './kinds.ts';
import type { Random } from './random.ts';

/** Kinds whose conflicts return the row without its contents. */
const isNamedOnly = (kind: Kind): boolean => kind === 'fleet' || kind === 'profile';

const readFor = async (client: Client, kind: Kind, row: string) => {
  if (kind === 'profile') {
    const { user } = await client.call('refreshUserData');
    return { marks: [user.firstname], revision: user.revision };
  }
  const { data } = await client.call('fleetList', { scope: 'own' });
  const found = data.userFleet.find(({ registration }) => `fleet ${registration}` === row);
  return found ? { marks: [String(found.variant)], revision: found.revision } : null;
};

const marksOf = (kind: Kind, current: unknown): string[] => {
  const row = current as {
    name: string;
    payload: string[];
    checklist: Parameters<typeof marksOfChecklist>[0];
    planner: { plannerImportOption: string };
  };
  if (kind === 'flightData') return row.payload;
  if (kind === 'checklist') return marksOfChecklist(row.checklist);
  return [kind === 'preferences' ? row.planner.plannerImportOption : row.name];
};

/** The row as stored by the service; null: none. */
const present = async (client: Client, conflict: Conflict) => {
  const kind = kindOf(conflict.row);
  if (conflict.isGone || conflict.current === null) return null;
  if (isNamedOnly(kind)) return readFor(client, kind, conflict.row);
  return { marks: marksOf(kind, conflict.current), revision: conflict.revision };
};

export const resolver =
  (client: Client, book: Book, random: Random) =>
  async (conflict: Conflict): Promise<Decision> => {
    const { row, reason, edits } = conflict;
    const kind = kindOf(row);
    const memos = edits.map(({ memo }) => memo as Memo);
    const all = memos.flatMap(({ marks }) => marks);
    const isRemoving = memos.some(({ action }) => action === 'remove');
    const added = memos.filter(({ action }) => action === 'put' || action === 'replace');
    const shown = book.rows.get(row);
    /** The row as stored by the service, read if necessary. */
    const giveUp = (now: readonly string[] | null | undefined, revision?: number): Decision => ({
      edits: [],
      ...(revision === undefined ? {} : { revision }),
      changes: {
        ...ended(book, all, 'given'),
        ...(now === undefined ? {} : { [`row/${row}`]: now === null ? undefined : { ...shown, marks: now } }),
        ...(conflict.isGone ? { [`row/${row}`]: undefined } : { [`stale/${row}`]: true }),
      },
    });
    const put = (
      marks: readonly string[],
      news: readonly string[],
      over: readonly string[] | null,
      revision: number,
    ): Decision => {
      // The folder has been deleted, so the file goes to the root.
      const inside = reason === 'deleted' ? null : (shown?.inside ?? null);
      const contents = { marks, ...(kind === 'file' ? { inside } : {}) };
      return {
        revision,
        edits: [putEdit(row, contents, { marks: news, isNew: over === null })],
        changes: {
          ...ended(
            book,
            all.filter((mark) => !news.includes(mark)),
            'given',
          ),
          ...keptOver(book, news, over),
          [`row/${row}`]: contents,
        },
      };
    };
    try {
      const last = added.at(-1)?.marks.at(-1);
      if (reason === 'deleted') {
        const isKept = !isRemoving && last !== undefined && random.next() < 0.5 && kind !== 'share';
        const isNowhere = conflict.isGone || conflict.revision === 0;
        // An existing file whose target folder is gone stays where it is.
        if (!isKept || !isNowhere) return giveUp(isNowhere ? null : undefined);
        const news = isList(kind) ? added.flatMap(({ marks }) => marks) : [last];
        return put(news, news, null, conflict.revision);
      }
      if (reason !== 'changed' || isRemoving || last === undefined) return giveUp(undefined);
      const now = await present(client, conflict);
      if (now === null) return 'later';
      if (isList(kind)) {
        const news = added.flatMap(({ marks }) => marks).filter((mark) => !now.marks.includes(mark));
        return put([...now.marks, ...news], news, now.marks, now.revision);
      }
      return random.next() < 0.6
        ? put([last], [last], now.marks, now.revision)
        : giveUp(now.marks, now.revision);
    } catch (error) {
      // Without a network, the decision is postponed.
      if (error instanceof EfbError) return 'later';
      throw error;
    }
  };
