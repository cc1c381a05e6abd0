/** A verb of the operator: one declaration, which the command line and the console each render in their way. */
import type { z } from 'zod';
import type { Postgres } from '#store/postgres/pool.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import type { Queues } from '#store/queue/types.ts';
import type { Config } from '#platform/config/config.ts';
import type { SubjectKind } from '#domain/audit/entry.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import type { AuditedChange, Trail } from './audited.ts';

/** What a view works with: it cannot write. */
export interface ViewTools {
  config: Config;
  clock: Clock;
  postgres: Pick<Postgres, 'db'>;
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
  /** On the command line: runs a feed in this process; `note` is called before it begins. */
  runFeed?: (asked: FeedToRun, note: () => Promise<unknown>) => Promise<Answer>;
  /** One transaction, with a row in the audit for what `work` names to the trail. */
  change: AuditedChange;
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

/** `data` is the JSON document next to `ok`; without `--json`, what else is given is shown instead. */
export interface Answer {
  data: Record<string, unknown>;
  text?: string;
  /** Exit status of the command line; 0 by default. */
  status?: number;
  table?: readonly Row[];
  /** Several by their titles. */
  tables?: Readonly<Record<string, readonly Row[]>>;
  /** Above them. */
  heading?: string;
  record?: Row;
  /** Fields of the record that the console does not show. */
  secrets?: Row;
  /** What the console says of a change; without it, that it is done. */
  notice?: string;
  /** The command that shows whole what a table has cut, for example `feeds show FEED`. */
  whole?: string;
  /** Verbs of the same noun that the console offers for a row, with the values of their flags. */
  actionsOf?: (row: Row) => Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What the schemas of the flags made of a command line or a form. */
export type Values = Readonly<Record<string, unknown>>;

interface About<F extends Flags = Flags> {
  summary: string;
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

interface Runs<Tools> {
  run: (tools: Tools, values: Values) => Promise<Answer>;
}

/** Shows something and changes nothing. */
export interface View extends About, Runs<ViewTools> {
  type: 'view';
}

export interface Change extends About, Runs<OperatorTools> {
  type: 'change';
}

/** Needs files of the machine, takes too long for a page, or gives access: of the command line alone. */
interface LocalVerb extends About, Runs<LocalTools> {
  type: 'local';
}

/** A verb that needs no database, or creates one. */
interface StandaloneVerb extends About {
  type: 'lone';
  run: (env: Record<string, string | undefined>, values: Values) => Promise<Answer>;
}

export type Verb = View | Change | LocalVerb | StandaloneVerb;

/** A verb loses the types of its flags here alone; who reads the flags gives it what their schemas made. */
const declared =
  <V extends Verb>(type: V['type']) =>
  <const F extends Flags>(
    definition: About<F> & {
      run: (
        tools: Parameters<V['run']>[0],
        values: { [K in keyof F]: z.output<F[K]['schema']> },
      ) => Promise<Answer>;
    },
  ) =>
    ({ type, ...definition }) as unknown as V;

export const view = declared<View>('view');
export const verb = declared<Change>('change');
export const localVerb = declared<LocalVerb>('local');
export const standaloneVerb = declared<StandaloneVerb>('lone');

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
  change: About & Runs<T> & Verb,
  tools: T,
  values: Values,
  seen?: string,
): Promise<Answer> => {
  if (change.isDecision && seen === undefined)
    throw new UsageError('Nothing was shown to decide on: do it from the list that shows it.');
  const onRow: OperatorTools['change'] = (work) =>
    tools.change(async (tx, trail) => {
      const row = await rowOf(change, tx, values);
      if (row) await trail.changing(row.kind, row.id, seen);
      return work(tx, trail);
    });
  return change.run({ ...tools, change: onRow }, values);
};

/** A change of one thing that is there, outside of verbs. */
export const changing = <T>(
  { change }: Pick<OperatorTools, 'change'>,
  kind: SubjectKind,
  id: number | string,
  work: (tx: Tx, trail: Trail) => Promise<T>,
): Promise<T> =>
  change(async (tx, trail) => {
    await trail.changing(kind, id);
    return work(tx, trail);
  });

/** A change that makes a thing. */
export const creating = <T>(
  { change }: Pick<OperatorTools, 'change'>,
  kind: SubjectKind,
  work: (tx: Tx) => Promise<T>,
  idOf: (made: T) => number | string,
): Promise<T> =>
  change(async (tx, trail) => {
    const made = await work(tx);
    trail.created(kind, idOf(made));
    return made;
  });

/** What is shown of an answer that gives no more than its data: its only list or thing, else its fields. */
export const shownOf = (answer: Answer): Answer => {
  if (answer.table ?? answer.tables ?? answer.record) return answer;
  const [only, ...others] = Object.values(answer.data);
  if (others.length > 0 || typeof only !== 'object' || only === null)
    return { ...answer, record: answer.data };
  return Array.isArray(only) ? { ...answer, table: only as Row[] } : { ...answer, record: only as Row };
};
