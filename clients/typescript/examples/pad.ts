/** A complete offline app for flight notes and checklists on a pilot's tablet (pad): 200 lines around the outbox. */
import { EfbError } from '../src/index.ts';
import type { Client, Output } from '../src/index.ts';
import { idOf, isAlready, openOutbox } from '../src/outbox/index.ts';
import type { Changes, Conflict, Decision, NewEdit, Store } from '../src/outbox/index.ts';

/** What the pad shows of a row; stored as `show/` and the row's name. */
export type Notes = string[];
export interface Checklist {
  name: string;
  document: Output<'checklistGet'>['data']['checklist'];
}
type Shown = Notes | Checklist;

/** Asks the pilot which of two checklists to keep; null stands for a deletion. */
export type Ask = (mine: Checklist | null, theirs: Checklist | null) => Promise<'mine' | 'theirs'>;

export interface Pad {
  notes: (ofpId: string) => Notes;
  checklists: () => Map<string, Checklist>;
  addNote: (ofpId: string, note: string) => Promise<void>;
  /** The name of the new row. */
  addChecklist: (checklist: Checklist) => Promise<string>;
  changeChecklist: (row: string, checklist: Checklist) => Promise<void>;
  deleteChecklist: (row: string) => Promise<void>;
  /** Sends edits and reads changes; false without a network: call it again later. */
  sync: () => Promise<boolean>;
}

const dataKey = 'notes';
const notesRow = (ofpId: string): string => `notes ${ofpId}`;
const checklistRow = (id: string): string => `checklist ${id}`;
const most = 50;

export const openPad = async (client: Client, store: Store, ask: Ask): Promise<Pad> => {
  const shown = new Map(
    (await store.entries('show/')).map(([key, value]) => [key.slice('show/'.length), value as Shown]),
  );
  /** The screen shows a change once it is on disk. */
  const kept: Store = {
    entries: store.entries,
    write: async (changes) => {
      await store.write(changes);
      for (const [key, value] of Object.entries(changes)) {
        if (!key.startsWith('show/')) continue;
        if (value === undefined) shown.delete(key.slice('show/'.length));
        else shown.set(key.slice('show/'.length), value as Shown);
      }
    },
  };
  const showing = (row: string, value: Shown | undefined): Changes => ({ [`show/${row}`]: value });

  // Edits: the call to send, and in `memo` the data needed to apply it again to someone else's version.

  const notesEdit = (ofpId: string, notes: Notes, added: Notes): NewEdit => ({
    query: 'flightDataSave',
    data: { ofpId, dataKey, payload: notes },
    memo: added,
  });
  const checklistEdit = (row: string, { name, document }: Checklist, isNew: boolean): NewEdit => ({
    query: 'checklistSave',
    data: { name, checklist: document, ...(isNew ? {} : { checklistId: idOf(row) }) },
  });
  const deletion = (row: string): NewEdit => ({ query: 'checklistDelete', data: { checklistId: idOf(row) } });

  // Conflicts: notes are appended, checklists are decided by the pilot.

  const mergedNotes = ({ row, edits, current, revision, isGone }: Conflict): Decision => {
    const ofpId = row.slice(notesRow('').length);
    const added = edits.flatMap(({ memo }) => memo as Notes);
    const theirs = ((current as { payload?: Notes } | null)?.payload ?? []).filter(
      (note) => !added.includes(note),
    );
    const notes = [...theirs, ...added];
    return {
      revision,
      isGone,
      edits: [notesEdit(ofpId, notes, added)],
      changes: showing(row, notes),
    };
  };
  const decidedChecklist = async (conflict: Conflict): Promise<Decision> => {
    const { row, reason, isGone } = conflict;
    const mine = (shown.get(row) as Checklist | undefined) ?? null;
    const current = conflict.current as { name: string; checklist: Checklist['document'] } | null;
    const theirs = current && { name: current.name, document: current.checklist };
    // A refused edit is invalid and cannot be kept unchanged.
    if (reason === 'refused' || reason === 'answerLost')
      return {
        edits: [],
        changes: outbox.state(row).id === null ? showing(row, undefined) : { [`stale/${row}`]: true },
      };
    if ((await ask(mine, theirs)) === 'theirs')
      return { edits: [], revision: conflict.revision, changes: showing(row, theirs ?? undefined) };
    return { edits: [mine ? checklistEdit(row, mine, isGone) : deletion(row)] };
  };

  const outbox = await openOutbox({
    client,
    store: kept,
    resolve: async (conflict) => {
      if (conflict.row.startsWith('checklist ')) return decidedChecklist(conflict);
      // Notes cannot be added to a plan that was deleted or is shared read-only.
      if (conflict.reason === 'changed' || conflict.error.code === 'FLIGHT_DATA_DELETED')
        return mergedNotes(conflict);
      return { edits: [], changes: showing(conflict.row, undefined) };
    },
    // The row was created by an earlier call, perhaps days ago, and others may have changed it since: read it again.
    stored: ({ row }, answer) => (answer && isAlready(answer) ? { [`stale/${row}`]: true } : {}),
  });

  // Reading: everything once, then what `changes` names.

  const rowOfChecklist = (id: string): string =>
    outbox.rows('checklist ').find((row) => outbox.state(row).id === id) ?? checklistRow(id);
  const take = async (row: string, revision: number, value: Shown | null, id?: string): Promise<void> => {
    const state = { revision, isGone: value === null, ...(id === undefined ? {} : { id }) };
    const changes = { ...showing(row, value ?? undefined), [`stale/${row}`]: undefined };
    const isTaken = await outbox.pulled(row, state, changes);
    if (!isTaken && outbox.waiting(row).length > 0) await kept.write({ [`stale/${row}`]: true });
  };
  const readNotes = async (ofpIds: readonly string[]): Promise<void> => {
    for (let n = 0; n < ofpIds.length; n += most) {
      const plans = ofpIds.slice(n, n + most).map((ofpId) => ({ ofpId, dataKeys: [dataKey] }));
      for (let left = plans; left.length > 0;) {
        const answer = await client.call('flightDataBatch', { plans: left });
        for (const { ofpId, version, payload } of answer.items)
          await take(notesRow(ofpId), version, payload as Notes);
        left = answer.left as typeof plans;
      }
    }
  };
  const readChecklists = async (ids: readonly string[]): Promise<void> => {
    for (let left = [...ids]; left.length > 0;) {
      const { data } = await client.call('checklistBatch', { checklistIds: left.slice(0, most) });
      for (const { checklistId, revision, name, checklist } of data.items)
        await take(rowOfChecklist(checklistId), revision ?? 0, { name, document: checklist }, checklistId);
      left = [...data.left, ...left.slice(most)];
    }
  };
  /** Takes the feed's cursor first, so that changes made during this reading are delivered afterwards. */
  const readAll = async (): Promise<string> => {
    const { cursor } = await client.call('changes', {});
    const plans: string[] = [];
    for await (const { ofpId } of client.all('ofpList', { include: 'all' })) plans.push(ofpId);
    await readNotes(plans);
    const { data } = await client.call('checklistList', { scope: 'own' });
    await readChecklists(data.userChecklists.map(({ checklist_id: id }) => id));
    const present = new Set([
      ...plans.map(notesRow),
      ...data.userChecklists.map(({ checklist_id: id }) => rowOfChecklist(id)),
    ]);
    for (const row of shown.keys()) if (!present.has(row)) await take(row, outbox.state(row).revision, null);
    return cursor;
  };
  const readChanges = async (since: string): Promise<string> => {
    let [cursor, hasMore] = [since, true];
    while (hasMore) {
      const answer: Output<'changes'> = await client.call('changes', {
        since: cursor,
        kinds: ['flightData', 'checklist'],
      });
      const news = answer.changes.map((change) => ({
        ...change,
        row: change.kind === 'checklist' ? rowOfChecklist(change.id) : notesRow(change.id),
      }));
      const ours = news.filter((change) => change.kind === 'checklist' || change.dataKey === dataKey);
      for (const { row, revision, deleted } of ours) if (deleted) await take(row, revision ?? 0, null);
      const unread = ours.filter(
        ({ row, revision, deleted }) =>
          !deleted && (revision === null || revision > outbox.state(row).revision),
      );
      await readNotes(unread.filter(({ kind }) => kind === 'flightData').map(({ id }) => id));
      await readChecklists(unread.filter(({ kind }) => kind === 'checklist').map(({ id }) => id));
      ({ cursor, hasMore } = answer);
    }
    return cursor;
  };
  const read = async (): Promise<void> => {
    const [[, known] = []] = await store.entries('cursor');
    let cursor: string;
    try {
      cursor = typeof known === 'string' ? await readChanges(known) : await readAll();
    } catch (error) {
      if (!(error instanceof EfbError) || error.code !== 'SINCE_TOO_OLD') throw error;
      cursor = await readAll();
    }
    if (cursor !== known) await kept.write({ cursor });
    const stale = (await store.entries('stale/')).map(([key]) => key.slice('stale/'.length));
    const free = stale.filter((row) => outbox.waiting(row).length === 0);
    await readNotes(
      free.filter((row) => row.startsWith('notes ')).map((row) => row.slice(notesRow('').length)),
    );
    await readChecklists(
      free.filter((row) => row.startsWith('checklist ')).flatMap((row) => outbox.state(row).id ?? []),
    );
  };

  return {
    notes: (ofpId) => (shown.get(notesRow(ofpId)) as Notes | undefined) ?? [],
    checklists: () =>
      new Map([...shown].filter(([row]) => row.startsWith('checklist ')) as [string, Checklist][]),
    addNote: async (ofpId, note) => {
      const row = notesRow(ofpId);
      const notes = [...((shown.get(row) as Notes | undefined) ?? []), note];
      await outbox.add(row, notesEdit(ofpId, notes, [note]), showing(row, notes));
    },
    addChecklist: async (checklist) => {
      const row = checklistRow(crypto.randomUUID());
      await outbox.add(row, checklistEdit(row, checklist, true), showing(row, checklist));
      return row;
    },
    changeChecklist: (row, checklist) =>
      outbox.add(row, checklistEdit(row, checklist, false), showing(row, checklist)),
    deleteChecklist: (row) => outbox.add(row, deletion(row), showing(row, undefined)),
    sync: async () => {
      const { left, error } = await outbox.flush();
      // A new row has no id yet, so in an answer it could not be told apart from a row of another pad.
      const isNew = outbox
        .waiting()
        .some(({ row }) => row.startsWith('checklist ') && outbox.state(row).id === null);
      if (error || isNew) return false;
      try {
        await read();
        return left === 0;
      } catch (problem) {
        if (problem instanceof EfbError) return false;
        throw problem;
      }
    },
  };
};
