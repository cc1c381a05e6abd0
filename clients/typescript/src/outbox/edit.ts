import type { EfbError } from '../errors.ts';
import type { EditData, EditQuery } from './queries.ts';
import type { Changes } from './store.ts';

/** Placeholder in `data` for the id that the service assigns once the row is created. */
export interface IdOf {
  readonly $idOf: string;
}

/** The id of a row that may have been created offline. */
export const idOf = (row: string): IdOf => ({ $idOf: row });

type WithIds<T> = { [K in keyof T]: T[K] | IdOf };

export interface EditFile {
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A user's change. */
export type NewEdit<Q extends EditQuery = EditQuery> = {
  [K in Q]: {
    query: K;
    /** The query's input, without `expectedVersion`. */
    data: WithIds<EditData<K>>;
    /** For uploads. */
    file?: EditFile;
    /** The revision that the user has seen; by default the stored one. */
    seen?: number;
    /** What the app needs to merge this edit again after a conflict. */
    memo?: unknown;
  };
}[Q];

export type Edit<Q extends EditQuery = EditQuery> = NewEdit<Q> & {
  /** Its position in this device's order. */
  readonly id: number;
  /** What is changed, for example `fleet D-AIZA`. */
  readonly row: string;
  /** `Idempotency-Key` of every attempt. */
  readonly key: string;
  /** The `clientId` of the row that the edit creates; absent in edits stored by earlier versions, whose key served as it. */
  readonly clientId?: string;
  /** By the device's clock; null: never sent. */
  readonly sentAt: number | null;
};

/** What is known about a row on the service. */
export interface RowState {
  /** The last revision answered or read; 0: none yet. */
  revision: number;
  /** Assigned by the service. */
  id: string | null;
  isGone: boolean;
}

/**
 * `changed`: another device was faster. `deleted`: the row or its parent is gone. `refused`: invalid, or not permitted.
 * `answerLost`: the first edit is stored, but the service no longer has its answer: read the row.
 */
export type ConflictReason = 'changed' | 'deleted' | 'refused' | 'answerLost';

export interface Conflict {
  row: string;
  reason: ConflictReason;
  /** The edit that is not stored (or, with `answerLost`, may be), and all later edits of the row, which build on it. */
  edits: readonly [Edit, ...Edit[]];
  error: EfbError;
  /** The stored row, if the error contains it; null: there is none. */
  current: unknown;
  /** Revision of `current`. */
  revision: number;
  isGone: boolean;
  /** The first edit was sent so long ago that the service may not recognise it: the stored row may contain it. */
  mayBeStored: boolean;
}

/** Replaces all edits of a conflict; `later`: they stay, and no edit of this row is sent before the next flush. */
export type Decision =
  | 'later'
  | {
      edits: readonly NewEdit[];
      /**
       * Revision of the row as the app shows it now. By default: with new edits the conflict's revision, since they build
       * on it; without edits the revision known before. If `changes` store the conflict's `current`, pass its revision.
       */
      revision?: number;
      isGone?: boolean;
      id?: string;
      /** Stored together with it by the app. */
      changes?: Changes;
    };
