/**
 * A pilot's pad: makes edits whatever the network, stores and sends them, and reads them again after a kill.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EfbError } from '../../../clients/typescript/src/index.ts';
import type { Client } from '../../../clients/typescript/src/index.ts';
import { isAlready, openOutbox } from '../../../clients/typescript/src/outbox/index.ts';
import type { Outbox, Store } from '../../../clients/typescript/src/outbox/index.ts';
import { ended, openBook } from './book.ts';
import type { Book, Made } from './book.ts';
import { isList, isRemovable, kindOf, putEdit, removalOf } from './kinds.ts';
import type { Action, Kind, Memo, Shown } from './kinds.ts';
import { createPuller } from './pull.ts';
import { randomOf } from './random.ts';
import type { Random } from './random.ts';
import { resolver } from './resolve.ts';

export interface PadConfig {
  name: string;
  seed: string;
  edits: number;
  /** Plans whose flight data it edits, and those of them that it may share. */
  plans: readonly string[];
  ownPlans: readonly string[];
}

export interface Dump {
  /** By kind and id: the contents, and where a file is. */
  rows: [string, Shown][];
  made: [string, Made][];
}

export interface Pad {
  /** Makes the remaining edits; calls `onMade` after each. */
  work: (onMade: () => void) => Promise<void>;
  /** Sends and reads until nothing is pending. */
  settle: () => Promise<void>;
  /** Reads once; false while an edit that creates a row is pending. */
  pull: () => Promise<boolean>;
  dump: () => Dump;
}

/** Shares per 100 edits. */
const shares: readonly [Kind, number][] = [
  ['flightData', 46],
  ['checklist', 22],
  ['fleet', 10],
  ['folder', 5],
  ['file', 5],
  ['profile', 3],
  ['preferences', 6],
  ['share', 3],
];
const mostRows: Partial<Record<Kind, number>> = { checklist: 12, folder: 8, file: 12, share: 30 };
const sections = 10;
const registrations = 8;
const mostWaiting = 60;

const kindFor = (random: Random): Kind => {
  let left = random.next() * 100;
  return shares.find(([, share]) => (left -= share) < 0)?.[0] ?? 'flightData';
};

export const openPad = async (client: Client, inner: Store, config: PadConfig): Promise<Pad> => {
  const book: Book = await openBook(inner);
  const chance = randomOf(`${config.seed} ${config.name} ${Date.now()}`);
  const outbox: Outbox = await openOutbox({
    client,
    store: book.store,
    resolve: resolver(client, book, chance),
    stored: (edit, answer) => ({
      ...ended(book, (edit.memo as Memo).marks, 'acked'),
      ...(answer && isAlready(answer) ? { [`stale/${edit.row}`]: true } : {}),
    }),
  });
  const puller = createPuller(client, outbox, book, config.plans);

  /** The row that the nth edit changes. */
  const rowFor = (kind: Kind, mark: string, random: Random): string => {
    const present = [...book.rows.keys()].filter((row) => kindOf(row) === kind);
    if (kind === 'flightData') return `flightData ${random.one(config.plans)} k${random.upTo(sections)}`;
    if (kind === 'fleet') return `fleet D-A${String(random.upTo(registrations)).padStart(3, '0')}`;
    if (kind === 'profile' || kind === 'preferences') return `${kind} me`;
    const isNew = present.length === 0 || (present.length < (mostRows[kind] ?? 0) && random.next() < 0.4);
    if (kind === 'share' && isNew) return `share ${random.one(config.ownPlans)} ${mark}`;
    return isNew ? `${kind} ${mark}` : (random.one(present) ?? '');
  };
  const actionFor = (kind: Kind, shown: Shown | undefined, random: Random): Action => {
    if (!shown) return 'put';
    if (kind === 'share') return 'remove';
    const chosen = random.next();
    if (isRemovable(kind) && chosen < (isList(kind) ? 0.04 : 0.15)) return 'remove';
    if (kind === 'file' && chosen < 0.4) return 'move';
    return kind === 'file' && chosen < 0.6 ? 'replace' : 'put';
  };
  const make = async (n: number): Promise<void> => {
    const random = randomOf(`${config.seed} ${config.name} ${n}`);
    const mark = `${config.name}.${n}`;
    const kind = kindFor(random);
    const row = rowFor(kind, mark, random);
    const shown = book.rows.get(row);
    const action = actionFor(kind, shown, random);
    const made: Made = { row, action, overs: [shown?.marks ?? null], end: null };
    const counted = { [`made/${mark}`]: made, 'pad/next': n + 1 };
    if (action === 'remove') {
      await outbox.add(row, removalOf(row, mark), { ...counted, [`row/${row}`]: undefined });
      return;
    }
    const folders = [...book.rows.keys()].filter((each) => kindOf(each) === 'folder');
    const isPlaced = kind === 'file' && (action === 'move' || !shown);
    const inside = isPlaced ? (random.one([null, ...folders]) ?? null) : (shown?.inside ?? null);
    const marks =
      action === 'move' ? (shown?.marks ?? []) : isList(kind) ? [...(shown?.marks ?? []), mark] : [mark];
    const contents: Shown = { marks, ...(kind === 'file' ? { inside } : {}) };
    await outbox.add(row, putEdit(row, contents, { marks: [mark], isNew: !shown, action }), {
      ...counted,
      [`row/${row}`]: contents,
    });
  };
  const sync = async (): Promise<boolean> => {
    const { left, error } = await outbox.flush();
    if (error) return false;
    try {
      return (await puller.pull()) && left === 0;
    } catch (problem) {
      if (!(problem instanceof EfbError)) throw problem;
      return false;
    }
  };
  const next = (): number => (book.values.get('next') as number | undefined) ?? 0;
  return {
    pull: puller.pull,
    work: async (onMade) => {
      // A pad cannot edit revisions that it has not seen.
      while (!book.values.has('cursor')) await sync();
      while (next() < config.edits) {
        await make(next());
        onMade();
        if (chance.next() < 0.4) await sync();
        while (outbox.waiting().length > mostWaiting && !(await sync())) await sleep(20);
      }
      while (!(await sync())) await sleep(20);
    },
    settle: async () => {
      while (!(await sync()) || [...book.stale].length > 0) await sleep(20);
    },
    dump: () => {
      const ids = puller.idsOf();
      const idOfRow = (row: string) => ids.get(row) ?? row;
      const rows = [...book.rows].map(([row, { marks, inside = null }]): [string, Shown] => [
        `${kindOf(row)} ${idOfRow(row)}`,
        { marks, inside: inside === null ? null : idOfRow(inside) },
      ]);
      return { rows: rows.toSorted(([a], [b]) => (a < b ? -1 : 1)), made: [...book.made] };
    },
  };
};
