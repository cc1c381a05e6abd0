import type { Postgres } from '#store/postgres/pool.ts';
import type { ViewTools } from '#operator/verb.ts';

/** What a command line opens; queues are opened by the verbs that need them. */
export interface Resources extends ViewTools {
  postgres: Postgres;
}

/** Where a command writes, and where secrets come from. */
export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Width of the terminal; null where the output is not one. */
  columns: number | null;
  isStyled: boolean;
  /** Standard input to its end. */
  stdin: () => Promise<string>;
  /** Reads a line that is not shown; absent without a terminal. */
  prompt?: (label: string) => Promise<string>;
  /** Reads a line that is shown; absent without a terminal. */
  ask?: (label: string) => Promise<string>;
}
