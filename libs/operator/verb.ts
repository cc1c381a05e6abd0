/** A verb of the operator: one declaration, which the command line and the console each render in their way. */
import type { z } from 'zod';
import type { Postgres } from '#store/postgres/pool.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import type { Queues } from '#store/queue/types.ts';
import type { Config } from '#platform/config/config.ts';
import type { SubjectKind } from '#domain/audit/entry.ts';
import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import type { AuditedChange, Trail } from './audited.ts';

/** What a view works with: it cannot write. */
export interface ViewTools {
  config: Config;
  clock: Clock;
  now: Date;
  db: ReadDb;
  queues: () => Promise<Queues>;
}

export interface FeedToRun {
  feed: string;
  /** Instead of the configured source: a file, or the folder of a feed with several. */
  file?: string | undefined;
  url?: string | undefined;
  slot?: Date | undefined;
  /** Stores what the guards refuse, and reads unchanged data again. */
  force: boolean;
}

/** The only way to write is `change`, which needs to know what is changed. */
export interface OperatorTools extends ViewTools {
  jobs: JobProducer<Tx>;
  /** On the command line: runs a feed in this process; `note` is called before it begins. */
  runFeed?: (asked: FeedToRun, note: () => Promise<unknown>) => Promise<Answer>;
  /** One transaction, with a row in the audit for what `work` names to the trail. */
  change: AuditedChange;
}

/** Within the transaction of a change. */
interface ChangeTools extends OperatorTools {
  tx: Tx;
  trail: Trail;
}

/** What a verb for the machine of the service works with, too. */
export interface LocalTools extends OperatorTools {
  /** Name of the user of the operating system. */
  userName: string;
  /** For `withNewFile` alone: notes the key of a file before its first byte is written. */
  single: Postgres['single'];
}

/** A flag of the command line, and a field of a form. */
export interface Flag {
  /** Gets the text of the flag (or true for a switch) or undefined. */
  schema: z.ZodType;
  text: string;
  isSwitch?: true;
  /** Typed at a prompt or piped to `--NAME-stdin`; never a value in the command line. */
  isSecret?: true;
  /** Has several lines. */
  isLong?: true;
  /** Of the command line alone, for example a file of the machine, which the console must not open. */
  isLocal?: true;
  /** The last flag with one names the row that the verb decides on. */
  row?: NamedRow;
}

/** A row that is locked, compared with what the operator was shown, and kept for the audit, before a verb changes it. */
export interface NamedRow {
  kind: SubjectKind;
  /** Its id from the value of the flag, and from those of the other flags. Throws NOT_FOUND. */
  idOf: (db: ReadDb, value: never, values: Values) => Promise<number | string> | number | string;
}

export type Flags = Readonly<Record<string, Flag>>;

export type Row = Readonly<Record<string, unknown>>;

export interface Answer {
  /** The JSON document next to `ok`. Else its lists are shown as tables, and the rest as a record. */
  data: Row;
  /** Shown instead. */
  text?: string;
  /** Exit status of the command line; 0 by default. */
  status?: number;
  /** What is shown of a list or a thing, by its name in the data: names of fields with blanks between; all by default. */
  columns?: Readonly<Record<string, string>>;
  /** Fields that the console does not show. */
  secrets?: readonly string[];
  /** What the console says of a change; without it, that it is done. */
  notice?: string;
  /** Verbs of the same noun that the console offers for a row; their flags are the fields of the same names. */
  offers?: (row: Row) => readonly string[];
}

/** What the schemas of the flags made of a command line or a form. */
export type Values = Readonly<Record<string, unknown>>;

interface About<F extends Flags = Flags> {
  summary: string;
  /** In camelCase where a verb is declared; elsewhere as they are typed, such as `library-quota-mb`. */
  flags: F;
  /** Nothing brings back what it deletes: asks at a terminal, unless `--yes` is given. */
  isIrreversible?: true;
  /** Grants or refuses what its row shows: asks at a terminal, and elsewhere needs `--seen`. */
  isDecision?: true;
  /** What its first flag names is no longer there afterwards. */
  isLast?: true;
  /** The answer has a secret that is shown only once. */
  isShownOnce?: true;
}

interface Runs<Type, Tools> extends About {
  type: Type;
  run: (tools: Tools, values: Values) => Promise<Answer>;
}

/** Shows something and changes nothing. */
export type View = Runs<'view', ViewTools>;
export type Change = Runs<'change', OperatorTools>;
export type Verb =
  | View
  | Change
  /** Needs files of the machine, takes too long for a page, or gives access: of the command line alone. */
  | Runs<'local', LocalTools>
  /** Needs no database, or creates one. */
  | Runs<'lone', Readonly<Record<string, string | undefined>>>;

/** How a flag is typed: `libraryQuotaMb` as `library-quota-mb`. */
const typed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export type ValuesOf<F extends Flags> = { [K in keyof F]: z.output<F[K]['schema']> };

type Definition<F extends Flags, Tools, Result> = About<F> & {
  /** What is wrong with flags that are valid each. */
  refusal?: (values: ValuesOf<F>) => string | false;
  run: (tools: Tools, values: ValuesOf<F>) => Promise<Result> | Result;
};

/** A verb loses the types of its flags here alone; who reads the flags gives it what their schemas made. */
const declared =
  <V extends Verb>(type: V['type']) =>
  <const F extends Flags>({
    run,
    flags,
    refusal,
    ...about
  }: Definition<F, Parameters<V['run']>[0], Answer>) =>
    ({
      type,
      ...about,
      flags: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [typed(name), flag])),
      run: async (tools: Parameters<V['run']>[0], given: Values) => {
        const named = Object.keys(flags).map((name) => [name, given[typed(name)]]);
        const values = Object.fromEntries(named) as ValuesOf<F>;
        const refused = refusal?.(values);
        if (refused) throw new UsageError(refused);
        return run(tools, values);
      },
    }) as unknown as V;

export const view = declared<View>('view');
export const verb = declared<Change>('change');
export const localVerb = declared<Extract<Verb, { type: 'local' }>>('local');
export const standaloneVerb = declared<Extract<Verb, { type: 'lone' }>>('lone');

/** A sentence for the operator; nothing found or changed is NOT_FOUND. */
type Outcome = Answer | string | number | boolean | null | void;

const answerOf = (outcome: Outcome, flags: Flags, values: Values): Answer => {
  if (typeof outcome === 'object' && outcome !== null) return outcome;
  if (outcome === 0 || outcome === false || outcome === null) {
    const [name = '', { row } = {}] = Object.entries(flags).findLast(([, flag]) => flag.row) ?? [];
    throw new DomainError(
      'NOT_FOUND',
      {},
      `There is no ${row?.kind} ${String(values[name])} that this would change.`,
    );
  }
  return typeof outcome === 'string'
    ? { data: values, text: outcome, notice: outcome }
    : { data: values, text: 'Done.' };
};

/** A verb that is one transaction. It answers with what it was given, unless with more. */
export const change = <const F extends Flags>({ run, ...definition }: Definition<F, ChangeTools, Outcome>) =>
  verb<F>({
    ...definition,
    run: (tools, values) =>
      tools.change(async (tx, trail) =>
        answerOf(await run({ ...tools, db: tx, tx, trail }, values), definition.flags, values),
      ),
  });

export interface Noun {
  name: string;
  title: string;
  summary: string;
  /** How the audit calls what its verbs change. */
  kind?: SubjectKind;
  /** By the words after the noun; '' when there are none. */
  verbs: Readonly<Record<string, Verb>>;
}

/** What was given is not valid: exit status 2 of the command line, 422 in the console. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What was found; NOT_FOUND with this message for nothing, or for no changed row. */
export const found = <T>(value: T | 0 | null | undefined, message: string): T => {
  if (value === null || value === undefined || value === 0) throw new DomainError('NOT_FOUND', {}, message);
  return value;
};

/** Kind and id of the row that the last of its flags names; null when there is none, or it is not given. */
export const rowOf = async (
  { flags }: Verb,
  db: ReadDb,
  values: Values,
): Promise<{ kind: SubjectKind; id: number | string } | null> => {
  const [name = '', flag] = Object.entries(flags).findLast(([, { row }]) => row) ?? [];
  const value = values[name];
  if (!flag?.row || value === undefined) return null;
  return { kind: flag.row.kind, id: await flag.row.idOf(db, value as never, values) };
};

/** Runs a verb on its row as it was shown: `seen` is the digest of that. */
export const runChange = <T extends OperatorTools>(
  chosen: Runs<string, T> & Verb,
  tools: T,
  values: Values,
  seen?: string,
): Promise<Answer> => {
  if (chosen.isDecision && seen === undefined)
    throw new UsageError('Nothing was shown to decide on: do it from the list that shows it.');
  const onRow: OperatorTools['change'] = (work) =>
    tools.change(async (tx, trail) => {
      const row = await rowOf(chosen, tx, values);
      if (row) await trail.changing(row.kind, row.id, seen);
      return work(tx, trail);
    });
  return chosen.run({ ...tools, change: onRow }, values);
};

/** A change of one thing that is there, outside of verbs. */
export const changing = <T>(
  tools: Pick<OperatorTools, 'change'>,
  kind: SubjectKind,
  id: number | string,
  work: (tx: Tx, trail: Trail) => Promise<T>,
): Promise<T> =>
  tools.change(async (tx, trail) => {
    await trail.changing(kind, id);
    return work(tx, trail);
  });

/** A change that makes a thing. */
export const creating = <T>(
  tools: Pick<OperatorTools, 'change'>,
  kind: SubjectKind,
  work: (tx: Tx) => Promise<T>,
  idOf: (made: T) => number | string,
): Promise<T> =>
  tools.change(async (tx, trail) => {
    const made = await work(tx);
    trail.created(kind, idOf(made));
    return made;
  });
