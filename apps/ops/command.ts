/** The structure of a noun of the operator's command line. */
import type { z } from 'zod';
import type { Trail } from '#commands/audit/audited.ts';
import type { Config } from '#platform/config/config.ts';
import type { Postgres } from '#data/postgres/pool.ts';
import type { Tx } from '#data/postgres/sql.ts';
import type { Queues } from '#data/queue/queues.ts';
import type { Clock } from '#domain/time.ts';

/** What a command line opens; queues are opened by the verbs that need them. */
export interface Resources {
  config: Config;
  clock: Clock;
  postgres: Postgres;
  queues: () => Promise<Queues>;
}

/** Dependencies of a verb. The only way to write is `change`, which needs to know what is changed. */
export interface Ops extends Omit<Resources, 'postgres'> {
  postgres: Pick<Postgres, 'db'>;
  /** For `withNewFile` alone: notes the key of a file before its first byte is written. */
  single: Postgres['single'];
  /** One transaction, with a row in the audit for what `work` names to the trail. */
  change: <T>(work: (tx: Tx, trail: Trail) => Promise<T>) => Promise<T>;
}

export interface Flag {
  /** Gets the text of the flag (or true for a switch) or undefined. */
  schema: z.ZodType;
  text: string;
  isSwitch?: true;
  /** Typed at a prompt or piped to `--NAME-stdin`; never a value in the command line. */
  isSecret?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

type Row = Readonly<Record<string, unknown>>;

/**
 * `data` is the JSON document next to `ok`; without `--json`, `text`, a table, several with their titles, or the fields
 * of one record are printed, else those of `data`.
 */
export interface Answer {
  data: Record<string, unknown>;
  text?: string;
  table?: readonly Row[];
  tables?: Readonly<Record<string, readonly Row[]>>;
  /** Above the tables. */
  heading?: string;
  record?: Row;
  /** The command that shows whole what a table has cut, for example `feeds show FEED`. */
  whole?: string;
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

/** What the schemas of the flags made of the command line. */
type Values = Readonly<Record<string, unknown>>;

export interface Verb {
  summary: string;
  flags: Flags;
  /** Nothing brings back what it deletes: asks at a terminal, unless `--yes` is given. */
  isForGood?: true;
  run: (ops: Ops, values: Values) => Promise<Answer>;
}

/** A verb that needs no database, or creates one. */
export interface LoneVerb {
  summary: string;
  flags: Flags;
  isForGood?: never;
  runAlone: (env: Record<string, string | undefined>, values: Values) => Promise<Answer>;
}

/** A verb loses the types of its flags here alone; `readFlags` gives it what their schemas made. */
export const verb = <const F extends Flags>(definition: {
  summary: string;
  flags: F;
  isForGood?: true;
  run: (ops: Ops, values: { [K in keyof F]: z.output<F[K]['schema']> }) => Promise<Answer>;
}): Verb => definition as unknown as Verb;

export const loneVerb = <const F extends Flags>(definition: {
  summary: string;
  flags: F;
  runAlone: (
    env: Record<string, string | undefined>,
    values: { [K in keyof F]: z.output<F[K]['schema']> },
  ) => Promise<Answer>;
}): LoneVerb => definition as unknown as LoneVerb;

export interface Noun {
  name: string;
  summary: string;
  /** By the words after the noun; '' when there are none. */
  verbs: Readonly<Record<string, Verb | LoneVerb>>;
}

/** Usage error: exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command failed: exit status 1. `code` is for scripts. */
export class OpsError extends Error {
  override name = 'OpsError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
