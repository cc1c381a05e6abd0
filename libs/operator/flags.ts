import { z } from 'zod';
import { emailField } from '#domain/fields/index.ts';
import { UsageError } from './verb.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import type { SubjectKind } from '#domain/audit/entry.ts';
import type { Flag, Flags, NamedRow, Values, Verb } from './verb.ts';

/** Flags shared by several verbs. A flag is required when its schema refuses undefined. */
export const text = (help: string) => ({ schema: z.string().trim().min(1), text: help }) satisfies Flag;

/** The same flag, optional. */
export const maybe = <F extends Flag>(
  flag: F,
  help = flag.text,
): Omit<F, 'schema' | 'text'> & { schema: z.ZodOptional<F['schema']>; text: string } => ({
  ...flag,
  schema: flag.schema.optional() as z.ZodOptional<F['schema']>,
  text: help,
});

/** A flag that identifies a row of this kind: by its id, or by what `idOf` looks up. */
export const row = <F extends Flag>(
  kind: SubjectKind,
  flag: F,
  idOf: (db: ReadDb, value: z.output<F['schema']> & {}, values: Values) => ReturnType<NamedRow['idOf']> = (
    _db,
    value,
  ) => String(value),
) => ({ ...flag, row: { kind, idOf } satisfies NamedRow });

export const maybeText = (help: string) => maybe(text(help));

/** Reads a text with `read` and validates the result by the schema. An empty text is null, which clears the value. */
export const parsed = <T>(schema: z.ZodType<T>, help: string, read: (given: string) => unknown = String) =>
  ({
    schema: z
      .string()
      .trim()
      .transform((given, ctx): unknown => {
        try {
          return given === '' ? null : read(given);
        } catch {
          ctx.addIssue('must be JSON');
          return z.NEVER;
        }
      })
      .pipe(schema)
      .optional(),
    text: help,
  }) satisfies Flag;

/** An empty text clears the value. */
export const clearable = (help: string) => parsed(z.string().nullable(), help);

/** Largest value of an integer column. */
const greatest = 2_147_483_647;

export const integer = (help: string, min = 1, max = greatest) =>
  ({
    schema: z
      .string()
      .regex(/^-?\d+$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(min).max(max)),
    text: help,
  }) satisfies Flag;

export const maybeInteger = (help: string, min = 1, max = greatest) => maybe(integer(help, min, max));

/** A number with decimals. */
export const decimal = (help: string, min: number, max: number) =>
  ({
    schema: z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'must be a number')
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
    text: help,
  }) satisfies Flag;

/** Limit on the length of a list. */
export const limit = {
  schema: integer('').schema.default(100),
  text: 'Maximum number of rows; default 100.',
} satisfies Flag;
export const paging = {
  limit,
  offset: { schema: integer('', 0).schema.default(0), text: 'Rows before the first one; default 0.' },
} satisfies Flags;

export const flagSwitch = (help: string) =>
  ({ schema: z.boolean().default(false), text: help, isSwitch: true }) satisfies Flag;

/** `--x yes` or `--x no`. */
export const maybeYesNo = (help: string) =>
  ({
    schema: z
      .enum(['yes', 'no'], 'must be yes or no')
      .transform((value) => value === 'yes')
      .optional(),
    text: help,
  }) satisfies Flag;

/** A UTC time; a day is its first moment. */
export const maybeTime = (help: string) =>
  ({
    schema: z
      .union(
        [z.iso.date(), z.iso.datetime({ offset: true })],
        'must be a day or a time, such as 2026-09-16T12:00:00Z',
      )
      .pipe(z.coerce.date())
      .optional(),
    text: help,
  }) satisfies Flag;

const notAnAddress = 'must be an email address';
const emailCodes = { missing: notAnAddress, invalid: notAnAddress, malformed: notAnAddress };

/** The account concerned. */
export const email = { schema: emailField(emailCodes), text: 'Email address of the account.' } satisfies Flag;

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T, help: string) =>
  ({ schema: z.enum(values, `must be one of ${values.join(', ')}`), text: help }) satisfies Flag;

const withoutAsking: Flag = {
  schema: z.literal(true).optional(),
  text: 'Does not ask at a terminal.',
  isSwitch: true,
};

const seen: Flag = {
  schema: z.string().optional(),
  text: 'Digest of the row shown, as printed by the command without this flag; a terminal asks instead.',
};

/** The flags of a verb, plus `--yes` or `--seen` if it would ask. */
export const flagsOf = ({
  flags,
  isIrreversible,
  isDecision,
}: Pick<Verb, 'flags' | 'isIrreversible' | 'isDecision'>): Flags => ({
  ...flags,
  ...(isIrreversible && { yes: withoutAsking }),
  ...(isDecision && { seen }),
});

export const isRequired = ({ schema }: Flag): boolean => !z.safeParse(schema, undefined).success;

/** Parses flags by their schemas; throws UsageError with names from `nameOf`. */
export const readValues = (flags: Flags, given: Values, nameOf: (name: string) => string): Values => {
  const shape = Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flag.schema]));
  const { success, data, error } = z.object(shape).safeParse(given);
  if (success) return data;
  const problems = error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return given[name] === undefined ? `${nameOf(name)} is missing` : `${nameOf(name)}: ${issue.message}`;
  });
  throw new UsageError([...new Set(problems)].join('\n'));
};

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The flags that were given. */
export const givenOf = <T extends Values>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
