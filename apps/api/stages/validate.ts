import type { z } from 'zod';
import { placedIssues } from '#domain/fields/issues.ts';
import { safeParse } from '#domain/fields/safe-parse.ts';
import { findUnstorable } from '#domain/text/storable.ts';
import { isRecord } from '../call.ts';
import type { Call, Stage } from '../call.ts';
import { declaredError } from '../errors.ts';
import type { ApiError, ErrorOptions, ErrorTable } from '../errors.ts';
import type { Registered } from '../registry.ts';
import { hintFor } from './hints.ts';
import { withSentTexts } from './opaque.ts';
import { checkUnknownKeys, misplacedKeys, misplacedLines } from './unknown-keys.ts';

const pathOf = (issue: z.core.$ZodIssue): string => issue.path.map(String).join('.');

/** The unit of a bound, by what it limits; `file`: the size as JSON. */
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', file: ' bytes' };

const bound = ({ origin = '' }: { origin?: string }): string => units[origin] ?? '';

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID such as 3f2b7c1e-5d0a-4c8e-9b61-0f4a7d2e8c95',
  email: 'an email address',
  url: 'a URL such as https://efb.example/path',
  datetime: 'a time in ISO 8601 such as 2026-11-05T18:30:00Z',
};

/** Describes the valid values of a field, for issues whose message is an error code. */
export const expectation = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${bound(issue)}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${bound(issue)}`;
  const problem: unknown = issue.code === 'custom' ? issue.params?.['problem'] : undefined;
  if (typeof problem === 'string') return problem;
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const options = issue.errors.flatMap(([first]) => (first ? [lineWithin(first)] : []));
    return `must be ${[...new Set(options)].join(', or ')}`;
  }
  const format = issue.code === 'invalid_format' ? formats[issue.format] : undefined;
  return format === undefined ? 'is not valid' : `must be ${format}`;
};

/** What an option of a union expects, without "must be". */
const lineWithin = (issue: z.core.$ZodIssue): string =>
  (isOfValidator(issue) ? expectation(issue) : issue.message).replace(/^must be /, '');

/** Zod's messages are those of a validator, and name neither characters nor entries. */
const isOfValidator = ({ message }: z.core.$ZodIssue): boolean =>
  /^(?:Too (?:big|small)|Invalid (?:option|input|UUID|email|URL|ISO))\b/.test(message);

/** One line per problem: the field and its problem. */
const lineOf = (issue: z.core.$ZodIssue, isCode: boolean): string => {
  const field = pathOf(issue) || 'data';
  if (issue.message.endsWith('received undefined')) return `${field}: is required`;
  // A discriminated union has its message also for what is not an object at all.
  const isNoObject = issue.code === 'invalid_type' && issue.expected === 'object';
  if (isCode || isNoObject || isOfValidator(issue)) return `${field}: ${expectation(issue)}`;
  return `${field}: ${issue.message}`;
};

/**
 * A Zod message is an error code: the first issue decides. A message that is not declared as a code gives the
 * generic code with every problem listed.
 */
export const validationError = (
  errors: ErrorTable,
  issues: readonly z.core.$ZodIssue[],
  lines: Pick<ErrorOptions, 'hints' | 'hint'>,
): ApiError => {
  const [first] = issues;
  const details = issues.map((issue) => lineOf(issue, Object.hasOwn(errors, issue.message)));
  const code = first && Object.hasOwn(errors, first.message) ? first.message : null;
  if (!first || code === null) return declaredError(errors, 'INVALID_INPUT', { details, ...lines });
  return declaredError(errors, code, { field: pathOf(first), details, ...lines });
};

/** Refuses text that the database cannot store, in values and in keys, and names its position. */
export const assertStorable = (errors: ErrorTable, data: unknown): void => {
  const found = findUnstorable(data);
  if (!found) return;
  const { path, problem, isKey } = found;
  const where = isKey ? `${path}: a key contains` : `${path}: contains`;
  throw declaredError(errors, 'INVALID_INPUT', { details: [`${where} ${problem}, which cannot be stored`] });
};

/** `data`, merged with the top-level fields of the body where the operation declares it. */
const inputOf = (operation: Registered, { body, request }: Call): unknown => {
  const { inputFrom, method } = operation;
  if (inputFrom === 'raw') return {};
  if (inputFrom === 'body') return method === 'GET' ? { ...request.parameters } : body.fields;
  const data = (operation.opaque ? withSentTexts(operation, body) : body.fields['data']) ?? {};
  if (inputFrom !== 'bodyAndData' || !isRecord(data)) return data;
  const { data: _data, query: _query, ...fields } = body.fields;
  return { ...fields, ...data };
};

const refuse = async (
  operation: Registered,
  call: Call,
  given: unknown,
  error: z.ZodError,
): Promise<never> => {
  const issues = placedIssues(error.issues);
  throw validationError(operation.errors, issues, {
    hints: misplacedLines(misplacedKeys(operation, call)),
    hint: await hintFor(operation, call, given, issues),
  });
};

/** Parses the input with its schema. Throws the declared code of the first problem, or INVALID_INPUT. */
export const validate: Stage = (operation, call) => {
  const given = inputOf(operation, call);
  const parsed = safeParse(operation.input, given);
  if (!parsed.success) return refuse(operation, call, given, parsed.error);
  assertStorable(operation.errors, parsed.data);
  call.data = parsed.data;
  call.ignored = checkUnknownKeys(operation, call, given);
};
