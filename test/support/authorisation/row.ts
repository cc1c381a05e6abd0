/** What a row of the matrix of authorisation says. */
import type { Fields, Principal } from './scene.ts';

export interface Row {
  query: string;
  /** Whose thing it is and what; for the title. */
  what: string;
  data: () => Fields;
  allowed: readonly Principal[];
  /** Code of all others, unless `except` has another. */
  refused: string;
  except?: Partial<Record<Principal, string>>;
  /** Recreates what an allowed caller removed. */
  restore?: () => Promise<unknown>;
}

export const onlyOwner: readonly Principal[] = ['owner'];
