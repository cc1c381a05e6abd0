/** A verb of the operator: one declaration, which the command line and the console show each in its way. */
import type { z } from 'zod';
import type { Trail } from '#commands/audit/audited.ts';
import type { Postgres } from '#data/postgres/pool.ts';
import type { Tx } from '#data/postgres/sql.ts';
import type { Queues } from '#data/queue/queues.ts';
import type { Config } from '#platform/config/config.ts';
import type { Clock } from '#domain/time.ts';

/** What a verb works with. The only way to write is `change`, which needs to know what is changed. */
export interface OperatorTools {
  config: Config;
  clock: Clock;
  postgres: Pick<Postgres, 'db'>;
  queues: () => Promise<Queues>;
  /** One transaction, with a row in the audit for what `work` names to the trail. */
  change: <T>(work: (tx: Tx, trail: Trail) => Promise<T>) => Promise<T>;
}

/** A flag of the command line, and a field of a form. */
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

/** The answer with the sentence that the console shows. */
export interface Noticed extends Answer {
  notice: string;
}

/** What the schemas of the flags made of a command line or a form. */
export type Values = Readonly<Record<string, unknown>>;

interface About {
  summary: string;
  /** Nothing brings back what it deletes: asks at a terminal, unless `--yes` is given. */
  isIrreversible?: true;
}

export interface Verb<Tools, A extends Answer> extends About {
  flags: Flags;
  run: (tools: Tools, values: Values) => Promise<A>;
}

/** A verb loses the types of its flags here alone; who reads the flags gives it what their schemas made. */
export const verbWith =
  <Tools, A extends Answer>() =>
  <const F extends Flags>(
    definition: About & {
      flags: F;
      run: (tools: Tools, values: { [K in keyof F]: z.output<F[K]['schema']> }) => Promise<A>;
    },
  ) =>
    definition as unknown as Verb<Tools, A>;

/** A verb for both. */
export const operatorVerb = verbWith<OperatorTools, Noticed>();

/** What was given is not valid: exit status 2 of the command line, 422 in the console. */
export class UsageError extends Error {
  override name = 'UsageError';
}
