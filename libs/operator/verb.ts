/** A verb for operators: one declaration, rendered by both the command line and the console. */
import type { z } from 'zod';
import type { Postgres } from '#store/postgres/pool.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import type { Queues } from '#store/queue/types.ts';
import type { Config } from '#platform/config/config.ts';
import type { SubjectKind } from '#domain/audit/entry.ts';
import type { ChangedBy } from '#domain/developers/mails.ts';
import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import type { AuditedChange, Trail } from './audited.ts';

/** Tools for views, which cannot write. */
export interface ViewTools {
  config: Config;
  clock: Clock;
  now: Date;
  db: ReadDb;
  queues: () => Promise<Queues>;
}

export interface FeedToRun {
  feed: string;
  /** A file (or for some feeds a folder) instead of the configured source. */
  file?: string | undefined;
  url?: string | undefined;
  slot?: Date | undefined;
  /** Stores data that guards refuse, and reads unchanged data again. */
  force: boolean;
}

/** Tools for changes: writing is possible only through `change`, which must know its subjects. */
export interface OperatorTools extends ViewTools {
  jobs: JobProducer<Tx>;
  /** Who changes a developer key, for the mail to its owner; the operator by default. */
  by?: ChangedBy;
  /** Command line only: runs a feed in this process and calls `note` before it begins. */
  runFeed?: (asked: FeedToRun, note: () => Promise<unknown>) => Promise<Answer>;
  /** One transaction with an audit row for each subject that `work` names. */
  change: AuditedChange;
}

/** Tools within the transaction of a change. */
interface ChangeTools extends OperatorTools {
  tx: Tx;
  trail: Trail;
}

/** Additional tools for verbs that run on the service's machine. */
export interface LocalTools extends OperatorTools {
  /** User name in the operating system. */
  userName: string;
  /** Used by `withNewFile` to note a file's key before its first byte is written. */
  single: Postgres['single'];
}

/** A flag on the command line, and a field in a form. */
export interface Flag {
  /** Parses the flag's text, true for a switch, or undefined. */
  schema: z.ZodType;
  text: string;
  isSwitch?: true;
  /** May have several lines. */
  isLong?: true;
  /** Command line only, such as a file on the machine, which the console must not open. */
  isLocal?: true;
  /** The last flag with a row names the subject of the verb. */
  row?: NamedRow;
}

/** Before a change, this row is locked, compared with the state shown to the operator, and kept for the audit. */
export interface NamedRow {
  kind: SubjectKind;
  /** Its id, from the values of this flag and the others. Throws NOT_FOUND. */
  idOf: (db: ReadDb, value: never, values: Values) => Promise<number | string> | number | string;
}

export type Flags = Readonly<Record<string, Flag>>;

export type Row = Readonly<Record<string, unknown>>;

export interface Answer {
  /** The JSON document beside `ok`. Without `text`, its lists are shown as tables and the rest as a record. */
  data: Row;
  /** Shown instead of the data. */
  text?: string;
  /** Exit status on the command line; default 0. */
  status?: number;
  /** Fields shown of a list or record, by its name in the data: names separated by blanks; default all. */
  columns?: Readonly<Record<string, string>>;
  /** Fields that the console does not show. */
  secrets?: readonly string[];
  /** What the console reports after a change; by default, that it is done. */
  notice?: string;
  /** Verbs of the same noun that the console offers for a row; fields with the names of their flags fill these. */
  offers?: (row: Row) => readonly string[];
}

/** Flag values parsed from a command line or a form. */
export type Values = Readonly<Record<string, unknown>>;

interface About<F extends Flags = Flags> {
  summary: string;
  /** In camelCase in declarations; elsewhere as typed, such as `library-quota-mb`. */
  flags: F;
  /** Deletes irrecoverably: asks at a terminal, unless `--yes` is given. */
  isIrreversible?: true;
  /** Grants or refuses a request in its row: asks at a terminal, and elsewhere needs `--seen`. */
  isDecision?: true;
  /** The subject of its first flag no longer exists afterwards. */
  isLast?: true;
  /** The answer contains a secret shown only once. */
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
  /** Command line only: needs files on the machine, takes too long for a page, or gives access. */
  | Runs<'local', LocalTools>
  /** Needs no database, or creates one. */
  | Runs<'lone', Readonly<Record<string, string | undefined>>>;

/** How a flag is typed: `libraryQuotaMb` as `library-quota-mb`. */
const typed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export type ValuesOf<F extends Flags> = { [K in keyof F]: z.output<F[K]['schema']> };

type Definition<F extends Flags, Tools, Result> = About<F> & {
  /** Error in flags that are each valid alone. */
  refusal?: (values: ValuesOf<F>) => string | false;
  run: (tools: Tools, values: ValuesOf<F>) => Promise<Result> | Result;
};

/** Only here a verb loses its flag types; callers pass values parsed by the flags' schemas. */
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

/** A sentence for the operator; null, false or 0 become NOT_FOUND. */
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

/** A verb that runs in one transaction. Its answer repeats its input unless `run` returns more. */
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
  /** Subject kind in the audit. */
  kind?: SubjectKind;
  /** Verbs by the words after the noun; '' for none. */
  verbs: Readonly<Record<string, Verb>>;
}

/** Invalid input: exit status 2 on the command line, 422 in the console. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Returns the value found; throws NOT_FOUND with this message for nothing or for 0 changed rows. */
export const found = <T>(value: T | 0 | null | undefined, message: string): T => {
  if (value === null || value === undefined || value === 0) throw new DomainError('NOT_FOUND', {}, message);
  return value;
};

/** Kind and id of the row named by the last of its flags; null if there is none or it is not given. */
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

/** Runs a verb on its row as shown: `seen` is the digest of that state. */
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

/** Changes one existing thing, outside of verbs. */
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
