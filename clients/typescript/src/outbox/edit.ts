import type { EfbError } from '../errors.ts';
import type { EditData, EditQuery } from './queries.ts';
import type { Changes } from './store.ts';

/** Stands in `data` for the id that the service gives to a row once it is created there. */
export interface IdOf {
  readonly $idOf: string;
}

/** The id of a row that may have been made while the device was offline. */
export const idOf = (row: string): IdOf => ({ $idOf: row });

type WithIds<T> = { [K in keyof T]: T[K] | IdOf };

export interface EditFile {
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What a user has changed. */
export type NewEdit<Q extends EditQuery = EditQuery> = {
  [K in Q]: {
    query: K;
    /** As the query takes it, without `expectedVersion`. */
    data: WithIds<EditData<K>>;
    /** Of an upload. */
    file?: EditFile;
    /** The revision that the user has seen; by default that which is stored here. */
    seen?: number;
    /** Whatever the app needs to merge this edit again after a conflict. */
    memo?: unknown;
  };
}[Q];

export type Edit<Q extends EditQuery = EditQuery> = NewEdit<Q> & {
  /** Its place in the order of this device. */
  readonly id: number;
  /** What is changed, for example `fleet D-AIZA`. */
  readonly row: string;
  /** `Idempotency-Key` of every time that it is sent. */
  readonly key: string;
  /** Of what it creates; of edits that were kept before there was one it is the key. */
  readonly clientId?: string;
  /** By the clock of the device; null: it was never sent. */
  readonly sentAt: number | null;
};

/** What is known of a row of the service. */
export interface RowState {
  /** The last one that was answered or read; 0: there was none yet. */
  revision: number;
  /** Given by the service. */
  id: string | null;
  isGone: boolean;
}

/**
 * `changed`: another device was faster. `deleted`: the row, or what it belongs to, is gone. `refused`: it is not valid, or
 * not allowed. `answerLost`: the service has no answer for the first edit any more: it is stored; read the row.
 */
export type ConflictReason = 'changed' | 'deleted' | 'refused' | 'answerLost';

export interface Conflict {
  row: string;
  reason: ConflictReason;
  /** The edit that is not stored, or with `answerLost` may be, and all later ones of this row, which were made on it. */
  edits: readonly [Edit, ...Edit[]];
  error: EfbError;
  /** The row that is stored now, where the error has it; null: there is none. */
  current: unknown;
  /** That of `current`. */
  revision: number;
  isGone: boolean;
  /** The first edit was sent so long ago that the service may not recognise it: what is stored may contain it. */
  mayBeStored: boolean;
}

/** What replaces all edits of a conflict; `later`: they remain, and no edit of this row is sent before the next flush. */
export type Decision =
  | 'later'
  | {
      edits: readonly NewEdit[];
      /**
       * Of the row as the app shows it now: by default that of the conflict with edits, which were made on it, and the one that was known
       * before without any. Name that of the conflict where `changes` take over its `current`.
       */
      revision?: number;
      isGone?: boolean;
      id?: string;
      /** What the app stores with it. */
      changes?: Changes;
    };
