/** Validates the input of a call and suggests corrections. Values are never echoed: one may be a password. */
import type { z } from 'zod';
import { describeUnknown, ignoredLines, refusedLines, topLevelKeys } from '#domain/fields/unknown-keys.ts';
import { plainCaution } from '#domain/performance/caution.ts';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { memberText } from '#domain/text/json-members.ts';
import { maxExplainedBytes } from '#domain/text/json-fault.ts';
import { parseKnown, placedIssues, valueAt } from '#domain/fields/parse.ts';
import type { Path } from '#domain/fields/parse.ts';
import { valueHint } from '#domain/fields/value-hints.ts';
import { findUnstorable } from '#domain/text/storable.ts';
import { headerOf } from '../call.ts';
import type { Body, Call, Stage } from '../call.ts';
import { commonError, declaredError } from '../errors.ts';
import type { Registered } from '../registry.ts';
import { keyFields } from './authenticate.ts';
import { iataHint, isIataForm } from '../queries/airports/common/airports.ts';
import type { ApiError, ErrorOptions, ErrorTable } from '../errors.ts';
import { isRecord } from '#domain/record.ts';

/** Fields of the body that belong to the call, not to the operation's input. */
const envelope = ['query', 'data', 'action', 'confirmation_token', ...keyFields] as const;

const envelopeOf = ({ auth }: Registered): ReadonlySet<string> =>
  new Set([...envelope, ...(typeof auth === 'object' && 'apiKey' in auth ? [auth.apiKey] : [])]);

const none: ReadonlySet<string> = new Set();

/** Input fields placed next to `data`, where they are not read. */
const misplacedKeys = (operation: Registered, { body }: Call): string[] => {
  const { inputFrom = 'data', input } = operation;
  if (inputFrom !== 'data') return [];
  const own = envelopeOf(operation);
  return topLevelKeys(input).filter((name) => !own.has(name) && Object.hasOwn(body.fields, name));
};

/** One line per misplaced key, for an error. */
const misplacedLines = (names: readonly string[]): string[] =>
  names.map((name) => `${name}: is next to "data"; move it to data.${name}`);

/** The input as sent, with the paths of its unknown keys. */
interface Sent {
  given: unknown;
  unknown: readonly Path[];
}

/** Parses the input without unknown keys; fields of the call itself are not counted as unknown. */
const parseInput = (operation: Registered, given: unknown) => {
  const { input, inputFrom } = operation;
  const { parsed, unknown } = parseKnown(input, given);
  const own = inputFrom === 'bodyAndData' || inputFrom === 'body' ? envelopeOf(operation) : none;
  const isOwn = (path: Path) => path.length === 1 && own.has(String(path[0]));
  return { parsed, sent: { given, unknown: unknown.filter((path) => !isOwn(path)) } };
};

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

/**
 * One line per unknown key in a refused input that resembles a known one, or that is the only candidate for the only
 * `missing` field of its object.
 */
const closeKeyLines = (
  { input }: Registered,
  { given, unknown }: Sent,
  missing: readonly string[],
): string[] => {
  const { named } = describeUnknown(input, given, unknown);
  const meant = named.flatMap((key) => {
    const isBeside = (path: string): boolean => parentOf(path) === parentOf(key.path);
    const [absent, ...others] = missing.filter(isBeside);
    const isOnly = named.filter(({ path }) => isBeside(path)).length === 1 && others.length === 0;
    // If a field is missing, it is a better candidate than one that was sent.
    if (absent !== undefined && isOnly && !key.isSlip) return [{ ...key, nearest: absent }];
    return key.isClose ? [key] : [];
  });
  return refusedLines({ named: meant, more: 0 });
};

/**
 * For accepted input: dropped keys, one line each, for the answer. With the header `X-Strict: 1` they are refused
 * instead; a calculation refuses mistyped and misplaced keys, except with `X-Strict: 0`.
 */
const checkUnknownKeys = (operation: Registered, call: Call, { given, unknown }: Sent): string[] => {
  const strict = headerOf(call, 'x-strict');
  const isStrict = strict === '1';
  if (!isStrict && operation.unknownKeys === undefined) return [];
  const found = describeUnknown(operation.input, given, unknown);
  const misplaced = misplacedKeys(operation, call);
  // A calculation that ignores an intended input is worse than none.
  const slips = operation.isCalculation && strict !== '0' ? found.named.filter(({ isSlip }) => isSlip) : [];
  if (!isStrict && slips.length === 0) {
    return [
      ...ignoredLines(found),
      ...misplaced.map((name) => `${name} is next to "data" and was ignored; did you mean data.${name}?`),
    ];
  }
  const hints = isStrict
    ? [...refusedLines(found), ...misplacedLines(misplaced)]
    : refusedLines({ named: slips, more: 0 });
  if (hints.length > 0) throw declaredError(operation.errors, 'INVALID_INPUT', { hints });
  return [];
};

/** Reports ignored keys in the declared member of the answer. */
export const withIgnored = (
  { unknownKeys: member }: Registered,
  { ignored }: Call,
  answer: unknown,
): unknown => {
  if (member === undefined || ignored.length === 0) return answer;
  const fields = answer as { caution?: readonly string[]; cautions?: readonly CautionAnswer[] };
  if (member === 'ignored') return { ...fields, ignored };
  const { caution = [], cautions } = fields;
  const coded = ignored.map((text) => plainCaution('UNKNOWN_FIELD', text));
  return {
    ...fields,
    caution: [...caution, ...ignored],
    ...(cautions ? { cautions: [...cautions, ...coded] } : {}),
  };
};

type Opaque = Pick<Registered, 'opaque'>;

/** A quoted `__proto__`, possibly with escapes. */
const mayHoldProto =
  /"(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"/i;

/** True if an object has a key that would set the prototype of a copy. The depth is already bounded. */
const hasProto = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto));

const opaqueOf = (operation: Opaque | null, data: unknown): string[] =>
  isRecord(data) ? (operation?.opaque ?? []).filter((name) => Object.hasOwn(data, name)) : [];

/** Replaces each opaque member of the body. */
const replacing = (
  operation: Opaque | null,
  { fields }: Body,
  place: (name: string) => unknown,
): Readonly<Record<string, unknown>> => {
  const { data } = fields;
  const names = opaqueOf(operation, data);
  if (names.length === 0) return fields;
  return {
    ...fields,
    data: { ...(data as object), ...Object.fromEntries(names.map((name) => [name, place(name)])) },
  };
};

/** Throws INVALID_JSON for a key that would set a copy's prototype, except within opaque members. */
export const assertNoProto = (operation: Opaque | null, body: Body): void => {
  if (body.text === null || !mayHoldProto.test(body.text)) return;
  if (hasProto(replacing(operation, body, () => null))) throw commonError('INVALID_JSON');
};

/** The body without opaque members, for the log. */
export const loggedFields = ({ operation, body }: Call): Body['fields'] =>
  replacing(operation, body, () => `[part of ${body.bytes} bytes]`);

/** `data` with its opaque members as the JSON text that was sent. */
const withSentTexts = (operation: Opaque, { fields: { data }, text }: Body): unknown => {
  const names = text === null ? [] : opaqueOf(operation, data);
  if (names.length === 0) return data;
  const sent = names.map((name) => {
    const member = memberText(text ?? '', ['data', name]);
    return [name, jsonText(member, Buffer.byteLength(member))] as const;
  });
  return { ...(data as object), ...Object.fromEntries(sent) };
};

type Issue = z.core.$ZodIssue;

/** Maximum issues explained per input. */
const maxExplained = 10;

/** Fields for an ICAO code, where people enter the IATA code on a ticket. */
const airportFields = /^(?:icao|airport|origin|destination|alternate|from|to)$/i;

const codeHint = (value: string): string =>
  /^\s*[A-Z\d]{3,4}(?:[\s,;/]+[A-Z\d]{3,4})+\s*$/.test(value)
    ? 'send one ICAO code in a call'
    : 'an ICAO code has four letters or digits, such as KJFK';

/** Names that other APIs use for the input. */
const otherData = /^(?:data|params?|parameters|input|args|arguments|variables|payload|body)$/i;

const renamedData = ({ inputFrom = 'data' }: Registered, { body: { fields } }: Call): string[] =>
  inputFrom !== 'data' || fields['data'] !== undefined
    ? []
    : Object.keys(fields)
        .filter((name) => otherData.test(name))
        .slice(0, 1)
        .map((name) => `${name}: is not known; did you mean data?`);

/** The hints for a refused input as one text, empty if there are none. */
const hintFor = async (
  operation: Registered,
  call: Call,
  sent: Sent,
  issues: readonly Issue[],
): Promise<string> => {
  const { given } = sent;
  if (call.body.bytes > maxExplainedBytes) return '';
  const missing = issues
    .filter(({ path }) => valueAt(given, path) === undefined)
    .map(({ path }) => path.map(String).join('.'));
  const hints = [...renamedData(operation, call), ...closeKeyLines(operation, sent, missing)];
  for (const issue of issues.slice(0, maxExplained)) {
    const path = issue.path.map(String).join('.') || 'data';
    const value = valueAt(given, issue.path);
    const beside = valueAt(given, issue.path.slice(0, -1));
    const hint = valueHint(operation.input, { given, issue, value, beside });
    if (hint !== null) {
      hints.push(`${path}: ${hint}`);
      continue;
    }
    if (!airportFields.test(String(issue.path.at(-1))) || typeof value !== 'string') continue;
    const iata = isIataForm(value)
      ? iataHint(value, await call.tools.caches.availableAirports.get('all'))
      : null;
    hints.push(`${path}: ${iata ?? codeHint(value)}`);
  }
  return hints.join('; ');
};

/** For a call refused after validation: unknown keys that resemble the missing field. */
export const refusalHint = (operation: Registered, call: Call, field: string | null): string =>
  call.body.bytes > maxExplainedBytes
    ? ''
    : closeKeyLines(
        operation,
        parseInput(operation, inputOf(operation, call)).sent,
        field === null ? [] : [field],
      ).join('; ');

const pathOf = (issue: z.core.$ZodIssue): string => issue.path.map(String).join('.');

/** The unit of a limit by type; `file`: size as JSON. */
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', file: ' bytes' };

const bound = ({ origin = '' }: { origin?: string }): string => units[origin] ?? '';

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
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
  if (format !== undefined) return `must be ${format}`;
  return issue.code === 'invalid_format' && issue.pattern ? `must match ${issue.pattern}` : 'is not valid';
};

/** The expectation of one option of a union, without "must be". */
const lineWithin = (issue: z.core.$ZodIssue): string =>
  (isOfValidator(issue) || isErrorCode(issue) ? expectation(issue) : issue.message).replace(/^must be /, '');

const isErrorCode = ({ message }: z.core.$ZodIssue): boolean => /^[A-Z]+(?:_[A-Z]+)+$/.test(message);

/** Zod's default messages do not say whether characters or entries are meant. */
const isOfValidator = ({ message }: z.core.$ZodIssue): boolean =>
  /^(?:Too (?:big|small)|Invalid (?:option|input|UUID|email|URL|ISO))\b/.test(message);

/** One line per problem: the field and its problem. */
const lineOf = (issue: z.core.$ZodIssue, isCode: boolean): string => {
  const field = pathOf(issue) || 'data';
  if (issue.message.endsWith('received undefined')) return `${field}: is required`;
  // A discriminated union reports the same issue for a value that is no object.
  const isNoObject = issue.code === 'invalid_type' && issue.expected === 'object';
  if (isCode || isNoObject || isOfValidator(issue)) return `${field}: ${expectation(issue)}`;
  return `${field}: ${issue.message}`;
};

/**
 * The message of a Zod issue is an error code, and the first issue decides. An undeclared one becomes the generic code
 * with all problems listed.
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

/** Refuses values and keys with text that the database cannot store, and names the position. */
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
  const data = (operation.opaque.length > 0 ? withSentTexts(operation, body) : body.fields['data']) ?? {};
  if (inputFrom !== 'bodyAndData' || !isRecord(data)) return data;
  const { data: _data, query: _query, ...fields } = body.fields;
  return { ...fields, ...data };
};

const refuse = async (operation: Registered, call: Call, sent: Sent, error: z.ZodError): Promise<never> => {
  const issues = placedIssues(error.issues);
  throw validationError(operation.errors, issues, {
    hints: misplacedLines(misplacedKeys(operation, call)),
    hint: await hintFor(operation, call, sent, issues),
  });
};

/** Parses the input with its schema. Throws the declared code of the first problem, or INVALID_INPUT. */
export const validate: Stage = (operation, call) => {
  const { parsed, sent } = parseInput(operation, inputOf(operation, call));
  if (!parsed.success) return refuse(operation, call, sent, parsed.error);
  assertStorable(operation.errors, parsed.data);
  call.data = parsed.data;
  call.ignored = checkUnknownKeys(operation, call, sent);
};
