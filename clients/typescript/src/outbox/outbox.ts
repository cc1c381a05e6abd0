import { EfbError } from '../errors.ts';
import { newKey } from '../retry.ts';
import type { CallOptions, Caller, Input, Output, UploadName } from '../types.ts';
import type { Client } from '../client.ts';
import { conflictOf, isDone, isLost, isUnrelatedToEdit, notCreated } from './answers.ts';
import type { Conflict, Decision, Edit, NewEdit, RowState } from './edit.ts';
import { guarded, isCreation, written } from './queries.ts';
import type { EditQuery } from './queries.ts';
import type { Changes, Store } from './store.ts';

export interface OutboxOptions {
  client: Pick<Client, 'upload'> & Caller;
  store: Store;
  /** Decides about edits that the service has not stored. Runs again after a kill. */
  resolve: (conflict: Conflict) => Decision | Promise<Decision>;
  /**
   * What the app stores when an edit is done, for example the answer as its copy of the row. Null: the row to delete
   * was already gone. If `isAlready(answer)`, the row may have changed since it was created: read it.
   */
  stored?: (edit: Edit, answer: Output<EditQuery> | null, isLast: boolean) => Changes;
}

export interface Flushed {
  sent: number;
  /** Edits still to be sent. */
  left: number;
  /** Why it stopped early: no connection, a limit, an ended session. */
  error: EfbError | null;
}

export interface Outbox {
  /** Stores an edit and the app's related values; resolves once they are on disk. */
  add: (row: string, edit: NewEdit, changes?: Changes) => Promise<void>;
  /** Sends pending edits in the order in which they were made. Concurrent calls share one run. */
  flush: (options?: Pick<CallOptions, 'signal'>) => Promise<Flushed>;
  /** Pending edits, of one row or of all. */
  waiting: (row?: string) => readonly Edit[];
  state: (row: string) => RowState;
  /** Known rows by prefix. */
  rows: (prefix: string) => string[];
  /**
   * Stores a row read from the service (`isGone` if `changes` reports it as deleted), unless an edit of the row is
   * pending or something newer is known; then it does nothing and returns false.
   */
  pulled: (
    row: string,
    state: Partial<RowState> & { revision: number },
    changes?: Changes,
  ) => Promise<boolean>;
}

const unknownRow: RowState = { revision: 0, id: null, isGone: false };
const editKey = (id: number): string => `outbox/edit/${String(id).padStart(12, '0')}`;
const rowKey = (row: string): string => `outbox/row/${row}`;

const rowOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && '$idOf' in value ? String(value.$idOf) : null;

/** Rows whose ids occur in `data`. */
const referred = (data: object): string[] =>
  Object.values(data).flatMap((value: unknown) => rowOf(value) ?? []);

const withIds = (data: object, idOfRow: (row: string) => string | null): object =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, unknown]) => {
      const row = rowOf(value);
      return [name, row === null ? value : idOfRow(row)];
    }),
  );

/** Edits that survive a restart; the service carries out each once, and those of a row in order. */
export const openOutbox = async ({ client, store, resolve, stored }: OutboxOptions): Promise<Outbox> => {
  const load = async <T>(prefix: string) =>
    (await store.entries(prefix)).map(([key, value]) => [key.slice(prefix.length), value as T] as const);
  const edits = new Map((await load<Edit>('outbox/edit/')).map(([, edit]) => [edit.id, edit]));
  const states = new Map(await load<RowState>('outbox/row/'));
  let lastId = Math.max(0, ...edits.keys());

  const state = (row: string): RowState => states.get(row) ?? unknownRow;
  const waiting = (row?: string): Edit[] =>
    [...edits.values()].filter((edit) => row === undefined || edit.row === row).sort((a, b) => a.id - b.id);

  let turn: Promise<unknown> = Promise.resolve();
  /** One at a time, so that checks still hold when the edit is written. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  /** In memory only once it is on disk. */
  const write = async (
    {
      kept = [],
      removed = [],
      row,
      now,
    }: { kept?: Edit[]; removed?: Edit[]; row?: string; now?: RowState | null },
    more: Changes = {},
  ): Promise<void> => {
    await store.write({
      ...more,
      ...Object.fromEntries(removed.map(({ id }) => [editKey(id), undefined])),
      ...Object.fromEntries(kept.map((edit) => [editKey(edit.id), edit])),
      ...(row === undefined ? {} : { [rowKey(row)]: now ?? undefined }),
    });
    for (const { id } of removed) edits.delete(id);
    for (const edit of kept) edits.set(edit.id, edit);
    if (row !== undefined && now) states.set(row, now);
    else if (row !== undefined) states.delete(row);
  };
  const made = (row: string, edit: NewEdit): Edit => {
    lastId += 1;
    const key = newKey();
    return { ...edit, id: lastId, row, key, clientId: key, sentAt: null };
  };
  /** An edit that follows others builds on them, whatever revision was seen. */
  const added = (row: string, { seen, ...edit }: NewEdit): Edit =>
    made(row, waiting(row).length > 0 || seen === undefined ? edit : { ...edit, seen });

  const idOfRow = (row: string) => state(row).id;
  const missingRow = ({ data }: Edit) => referred(data).find((row) => idOfRow(row) === null) ?? null;

  /** The revision that an edit builds on. */
  const baseOf = ({ row, seen }: Edit): number => seen ?? (state(row).isGone ? 0 : state(row).revision);
  const send = (edit: Edit, signal: AbortSignal | undefined): Promise<Output<EditQuery>> => {
    const { query, file, key, clientId = key } = edit;
    const data = withIds(edit.data, idOfRow);
    const input = guarded(query, data, baseOf(edit), clientId) as Input<EditQuery>;
    const options: CallOptions = { idempotencyKey: key, ...(signal ? { signal } : {}) };
    if (!file) return client.send(query, input, options);
    const blob = new Blob([file.bytes], { type: file.type });
    return client.upload(query as UploadName, input as never, blob, {
      ...options,
      filename: file.name,
    }) as Promise<Output<EditQuery>>;
  };

  const settle = async (edit: Edit, answer: Output<EditQuery> | null): Promise<void> => {
    const { row } = edit;
    const before = state(row);
    const { revision, id = before.id } = answer
      ? written(edit.query, answer)
      : { revision: null, id: before.id };
    const now: RowState =
      revision === null ? { ...before, id, isGone: true } : { revision, id, isGone: false };
    const isLast = waiting(row).length === 1;
    await write({ removed: [edit], row, now }, stored?.(edit, answer, isLast));
  };

  /** Whether the row's edits can continue. */
  const decide = async (edit: Edit, error: EfbError): Promise<boolean> => {
    for (;;) {
      const conflict = conflictOf(waiting(edit.row), error, state(edit.row));
      const decision = await resolve(conflict);
      if (decision === 'later') return false;
      const isDecided = await inTurn(async () => {
        const { row, edits: decided } = conflict;
        // Another edit was made while the user decided about these.
        if (waiting(row).length !== decided.length) return false;
        // Without new edits the app may not have shown the stored row, so a later edit must not overwrite it.
        const seen = decision.edits.length > 0 ? conflict.revision : state(row).revision;
        const now: RowState = {
          revision: decision.revision ?? seen,
          id: decision.id ?? state(row).id,
          isGone: decision.isGone ?? conflict.isGone,
        };
        const kept = decision.edits.map((each) => made(row, each));
        await write({ kept, removed: [...decided], row, now }, decision.changes);
        return true;
      });
      if (isDecided) return true;
    }
  };

  /** `skip`: nothing more of this row now. An error ends the run. */
  const sendOne = async (
    edit: Edit,
    signal: AbortSignal | undefined,
  ): Promise<'sent' | 'decided' | 'skip' | EfbError> => {
    const missing = missingRow(edit);
    if (missing !== null && waiting(missing).some(({ id }) => id < edit.id)) return 'skip';
    if (missing !== null) return (await decide(edit, notCreated(edit, missing))) ? 'decided' : 'skip';
    if (edit.sentAt === null) await inTurn(() => write({ kept: [{ ...edit, sentAt: Date.now() } as Edit] }));
    const sent = edits.get(edit.id) ?? edit;
    try {
      const answer = await send(sent, signal);
      await inTurn(() => settle(sent, answer));
      return 'sent';
    } catch (error) {
      if (!(error instanceof EfbError)) throw error;
      if (isDone(sent, error)) {
        await inTurn(() => settle(sent, null));
        return 'sent';
      }
      if (isLost(error) && isCreation(sent.query, baseOf(sent))) {
        // The row is stored: with another key the service returns the row it created.
        const again = { ...sent, clientId: sent.clientId ?? sent.key, key: newKey() };
        await inTurn(() => write({ kept: [again] }));
        return 'decided';
      }
      if (isUnrelatedToEdit(error)) return error;
      if (error.status >= 500) return 'skip';
      return (await decide(sent, error)) ? 'decided' : 'skip';
    }
  };

  const run = async (signal: AbortSignal | undefined): Promise<Flushed> => {
    const skipped = new Set<string>();
    let sent = 0;
    const next = () => waiting().find(({ row }) => !skipped.has(row));
    for (let edit = next(); edit; edit = next()) {
      const ended = await sendOne(edit, signal);
      if (ended instanceof EfbError) return { sent, left: edits.size, error: ended };
      if (ended === 'skip') skipped.add(edit.row);
      if (ended === 'sent') sent += 1;
    }
    return { sent, left: edits.size, error: null };
  };

  let flushing: Promise<Flushed> | null = null;
  return {
    waiting,
    state,
    rows: (prefix) => [...states.keys()].filter((row) => row.startsWith(prefix)),
    add: (row, edit, changes) => inTurn(() => write({ kept: [added(row, edit)] }, changes)),
    flush: ({ signal } = {}) => {
      flushing ??= run(signal).finally(() => {
        flushing = null;
      });
      return flushing;
    },
    pulled: (row, read, changes = {}) =>
      inTurn(async () => {
        const before = state(row);
        const isOld = before.isGone ? read.revision <= before.revision : read.revision < before.revision;
        if (isOld || waiting(row).length > 0) return false;
        const now: RowState = { id: before.id, isGone: false, ...read };
        await write({ row, now }, changes);
        return true;
      }),
  };
};
