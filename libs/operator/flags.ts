import { z } from 'zod';
import { emailField } from '#domain/fields/index.ts';
import type { Flag, Flags } from './verb.ts';

/** Flags shared by several verbs. A flag is required when its schema refuses undefined. */
export const text = (help: string) => ({ schema: z.string().trim().min(1), text: help }) satisfies Flag;

export const maybeText = (help: string) =>
  ({ schema: z.string().trim().min(1).optional(), text: help }) satisfies Flag;

/** '' clears the value. */
export const clearable = (help: string) =>
  ({
    schema: z
      .string()
      .trim()
      .transform((value) => (value === '' ? null : value))
      .optional(),
    text: help,
  }) satisfies Flag;

/** A greater one does not fit into a column. */
const greatest = 2_147_483_647;

const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

export const integer = (help: string, min = 1, max = greatest) =>
  ({ schema: integerText(min, max), text: help }) satisfies Flag;

export const maybeInteger = (help: string, min = 1, max = greatest) =>
  ({ schema: integerText(min, max).optional(), text: help }) satisfies Flag;

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

const notAnAddress = 'must be an email address';
const emailCodes = { missing: notAnAddress, invalid: notAnAddress, malformed: notAnAddress };

export const email = (help = 'Email address of the account.') =>
  ({ schema: emailField(emailCodes), text: help }) satisfies Flag;

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T, help: string) =>
  ({ schema: z.enum(values, `must be one of ${values.join(', ')}`), text: help }) satisfies Flag;

const withoutAsking: Flag = {
  schema: z.literal(true).optional(),
  text: 'Does not ask at a terminal.',
  isSwitch: true,
};

/** The flags of a verb, with `--yes` where it would ask. */
export const flagsOf = ({ flags, isIrreversible }: { flags: Flags; isIrreversible?: true }): Flags =>
  isIrreversible ? { ...flags, yes: withoutAsking } : flags;
