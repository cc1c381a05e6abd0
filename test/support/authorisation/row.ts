/** A row of the authorisation matrix. */
import type { Fields, Principal } from './scene.ts';

export interface Row {
  query: string;
  /** Owner and object, for the title. */
  what: string;
  data: () => Fields;
  allowed: readonly Principal[];
  /** Code for all others, unless `except` has another. */
  refused: string;
  except?: Partial<Record<Principal, string>>;
  /** Recreates rows that a permitted caller has removed. */
  restore?: () => Promise<unknown>;
}

export const onlyOwner: readonly Principal[] = ['owner'];
