/** Reads by a pad: everything the first time, then the changes that `changes` lists. */
import type { Client, Output } from '../../../clients/typescript/src/index.ts';
import type { Outbox } from '../../../clients/typescript/src/outbox/index.ts';
import type { Book } from './book.ts';
import { keyOf, kindOf, markOfMail, marksOfChecklist } from './kinds.ts';
import type { Kind, Shown } from './kinds.ts';

const atOnce = 50;
const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, n) => all.slice(n * atOnce, (n + 1) * atOnce));

type Change = Output<'changes'>['changes'][number];

const kindOfChange: Partial<Record<Change['kind'], Kind>> = {
  flightData: 'flightData',
  checklist: 'checklist',
  fleet: 'fleet',
  libraryFolder: 'folder',
  libraryFile: 'file',
  profile: 'profile',
  preferences: 'preferences',
  ofpShare: 'share',
};
const withIds: readonly Kind[] = ['checklist', 'folder', 'file', 'share'];

export interface Puller {
  /**
   * False while an edit that creates a row is pending, since its row could not be told from one of another
   * pad.
   */
  pull: () => Promise<boolean>;
  /** The service's id of each row, else its key. */
  idsOf: () => Map<string, string>;
}

export const createPuller = (
  client: Client,
  outbox: Outbox,
  book: Book,
  plans: readonly string[],
): Puller => {
  const idOfRow = (row: string): string => outbox.state(row).id ?? keyOf(row);
  const rowsById = (): Map<string, string> =>
    new Map(
      withIds.flatMap((kind) =>
        outbox.rows(`${kind} `).flatMap((row): [string, string][] => {
          const { id } = outbox.state(row);
          return id === null ? [] : [[`${kind} ${id}`, row]];
        }),
      ),
    );
  let known = rowsById();
  const rowOf = (kind: Kind, id: string): string => known.get(`${kind} ${id}`) ?? `${kind} ${id}`;
  const store = async (kind: Kind, id: string, revision: number, shown: Shown | null): Promise<void> => {
    const row = rowOf(kind, id);
    const state = { revision, isGone: shown === null, ...(withIds.includes(kind) ? { id } : {}) };
    const changes = { [`row/${row}`]: shown ?? undefined, [`stale/${row}`]: undefined };
    if (await outbox.pulled(row, state, changes)) return;
    const isWaiting = outbox.waiting(row).length > 0;
    await book.store.write({ [`stale/${row}`]: isWaiting ? true : undefined });
  };

  const checklists = async (ids: readonly string[]): Promise<void> => {
    for (let left = [...ids]; left.length > 0;) {
      const { data } = await client.call('checklistBatch', { checklistIds: left.slice(0, atOnce) });
      for (const { checklistId, revision, checklist } of data.items)
        await store('checklist', checklistId, revision ?? 0, { marks: marksOfChecklist(checklist) });
      left = [...data.left, ...left.slice(atOnce)];
    }
  };
  const sections = async (wanted: { ofpId: string; dataKeys?: string[] }[]): Promise<void> => {
    for (const chunk of chunks(wanted))
      for (let left = chunk; left.length > 0;) {
        const answer = await client.call('flightDataBatch', { plans: left });
        for (const { ofpId, dataKey, version, payload } of answer.items)
          await store('flightData', `${ofpId} ${dataKey}`, version, { marks: payload as string[] });
        left = answer.left as typeof left;
      }
  };
  const fleet = async (): Promise<void> => {
    const { data } = await client.call('fleetList', { scope: 'own' });
    for (const { registration, revision, variant } of data.userFleet)
      await store('fleet', registration, revision, { marks: [String(variant)] });
  };
  const library = async (): Promise<void> => {
    const answer = await client.call('librarySync', {});
    for (const { id, name, revision, ownerType } of answer.library.folders)
      if (ownerType === 'user') await store('folder', id, Number(revision), { marks: [name] });
    known = rowsById();
    for (const { id, name, revision, folderId, ownerType } of answer.library.files)
      if (ownerType === 'user')
        await store('file', id, Number(revision), {
          marks: [name],
          inside: folderId === null ? null : rowOf('folder', folderId),
        });
  };
  const user = async (): Promise<void> => {
    const { user: own } = await client.call('refreshUserData');
    await store('profile', 'me', own.revision, { marks: [own.firstname] });
    await store('preferences', 'me', own.preferencesRevision ?? 0, {
      marks: [own.userPreferences?.planner.plannerImportOption ?? ''],
    });
  };
  const shares = async (): Promise<void> => {
    for (let before: number | undefined; ;) {
      const page = { scope: 'issued' as const, limit: 500, ...(before === undefined ? {} : { before }) };
      const { issued } = await client.call('ofpShareList', page);
      for (const { id, revision, status, sharedWithEmail } of issued)
        if (sharedWithEmail !== null && plans.length > 0 && status !== 'accepted')
          await store(
            'share',
            String(id),
            revision,
            status === 'revoked' ? null : { marks: [markOfMail(sharedWithEmail)] },
          );
      before = issued.at(-1)?.id;
      if (issued.length < 500) return;
    }
  };

  const all = async (): Promise<void> => {
    const { data } = await client.call('checklistList', { scope: 'own' });
    await checklists(data.userChecklists.map(({ checklist_id: id }) => id));
    await fleet();
    await library();
    await user();
    await shares();
    const { items } = await client.call('ofpList', { include: 'all', limit: 100 });
    await sections(items.map(({ ofpId }) => ({ ofpId })));
  };
  const some = async (kind: Kind, ids: readonly string[]): Promise<void> => {
    if (kind === 'checklist') await checklists(ids);
    else if (kind === 'fleet') await fleet();
    else if (kind === 'folder' || kind === 'file') await library();
    else if (kind === 'share') await shares();
    else if (kind === 'flightData')
      await sections(
        ids.map((id) => {
          const [ofpId = '', dataKey = ''] = id.split(' ');
          return { ofpId, dataKeys: [dataKey] };
        }),
      );
    else await user();
  };

  const heard = async (changes: readonly Change[]): Promise<void> => {
    const wanted = new Map<Kind, string[]>();
    for (const { kind: changed, id, dataKey, revision, deleted, vaId } of changes) {
      const kind = kindOfChange[changed];
      if (kind === undefined || vaId !== undefined) continue;
      const key =
        dataKey === undefined
          ? kind === 'profile' || kind === 'preferences'
            ? 'me'
            : id
          : `${id} ${dataKey}`;
      const state = outbox.state(rowOf(kind, key));
      if (deleted) await store(kind, key, revision ?? 0, null);
      else if (revision === null || revision > state.revision)
        wanted.set(kind, [...(wanted.get(kind) ?? []), key]);
    }
    if (wanted.has('folder')) wanted.delete('file');
    for (const [kind, ids] of wanted) await some(kind, [...new Set(ids)]);
  };
  /** Rows that could not be updated while edits were pending. */
  const again = async (): Promise<void> => {
    const rows = [...book.stale].filter((row) => outbox.waiting(row).length === 0);
    const byKind = Map.groupBy(rows, kindOf);
    for (const [kind, of] of byKind) {
      await some(kind, of.map(idOfRow));
      // Rows missing from the answer were deleted, as a later change will confirm.
      await book.store.write(Object.fromEntries(of.map((row) => [`stale/${row}`, undefined])));
    }
  };

  return {
    idsOf: () => new Map([...book.rows.keys()].map((row) => [row, idOfRow(row)])),
    pull: async () => {
      known = rowsById();
      if (outbox.waiting().some(({ row }) => outbox.state(row).id === null && withIds.includes(kindOf(row))))
        return false;
      let cursor = book.values.get('cursor') as string | undefined;
      if (cursor === undefined) {
        ({ cursor } = await client.call('changes', {}));
        await all();
      }
      for (let hasMore = true; hasMore;) {
        const answer: Output<'changes'> = await client.call('changes', { since: cursor });
        await heard(answer.changes);
        ({ cursor, hasMore } = answer);
        // Nothing has changed, neither there nor here.
        if (cursor !== book.values.get('cursor') && (answer.changes.length > 0 || !book.values.has('cursor')))
          await book.store.write({ 'pad/cursor': cursor });
      }
      await again();
      return true;
    },
  };
};
