/** The structure of a noun of the operator's command line. */
import type { z } from 'zod';
import type { Config } from '#platform/config/config.ts';
import type { Postgres } from '#data/postgres/pool.ts';
import type { Queues } from '#data/queue/queues.ts';
import type { Clock } from '#domain/time.ts';
import { verbWith } from '#operator/verb.ts';
import type { Answer, Flags, OperatorTools, Values, Verb } from '#operator/verb.ts';

/** What a command line opens; queues are opened by the verbs that need them. */
export interface Resources {
  config: Config;
  clock: Clock;
  postgres: Postgres;
  queues: () => Promise<Queues>;
}

/** For the verbs of the command line alone. */
export interface Ops extends OperatorTools {
  /** For `withNewFile` alone: notes the key of a file before its first byte is written. */
  single: Postgres['single'];
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

export type CommandVerb = Verb<Ops, Answer>;

/** A verb that needs no database, or creates one. */
export interface LoneVerb {
  summary: string;
  flags: Flags;
  isIrreversible?: never;
  runAlone: (env: Record<string, string | undefined>, values: Values) => Promise<Answer>;
}

export const verb = verbWith<Ops, Answer>();

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
  verbs: Readonly<Record<string, CommandVerb | LoneVerb>>;
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
