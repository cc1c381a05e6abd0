/** Input that is not understood is reported: keys that the schema drops, and parameters next to `data`. */
import { ignoredLines, refusedLines, topLevelKeys, unknownKeys } from '#domain/fields/unknown-keys.ts';
import { plainCaution } from '#domain/performance/caution.ts';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import { headerOf } from '../call.ts';
import type { Call } from '../call.ts';
import { declaredError } from '../errors.ts';
import type { Registered } from '../registry.ts';
import { keyFields } from './developer-key.ts';

/** Fields of the body that belong to the call, not to the input of the operation. */
const envelope = ['query', 'data', 'action', 'confirmation_token', ...keyFields] as const;

const envelopeOf = ({ auth }: Registered): ReadonlySet<string> =>
  new Set([...envelope, ...(typeof auth === 'object' && 'apiKey' in auth ? [auth.apiKey] : [])]);

const none: ReadonlySet<string> = new Set();

/** Names of the operation's input that are next to `data`, where they are not read. */
export const misplacedKeys = (operation: Registered, { body }: Call): string[] => {
  const { inputFrom = 'data', input } = operation;
  if (inputFrom !== 'data') return [];
  const own = envelopeOf(operation);
  return topLevelKeys(input).filter((name) => !own.has(name) && Object.hasOwn(body.fields, name));
};

/** One line per misplaced key, for an error. */
export const misplacedLines = (names: readonly string[]): string[] =>
  names.map((name) => `${name}: is next to "data"; move it to data.${name}`);

const expectedIn = (operation: Registered): ReadonlySet<string> =>
  operation.inputFrom === 'bodyAndData' || operation.inputFrom === 'body' ? envelopeOf(operation) : none;

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

/**
 * One line per unknown key of input that the schema refused: one that is nearly a known one, or the only one next to the only
 * `missing` field of its object.
 */
export const closeKeyLines = (
  operation: Registered,
  input: unknown,
  missing: readonly string[],
): string[] => {
  const { named } = unknownKeys(operation.input, input, expectedIn(operation));
  const meant = named.flatMap((key) => {
    if (key.isClose) return [key];
    const isBeside = (path: string): boolean => parentOf(path) === parentOf(key.path);
    const [absent, ...others] = missing.filter(isBeside);
    const isOnly = named.filter(({ path }) => isBeside(path)).length === 1 && others.length === 0;
    return absent !== undefined && isOnly ? [{ ...key, nearest: absent }] : [];
  });
  return refusedLines({ named: meant, more: 0 });
};

/**
 * For input that the schema accepted: the dropped keys, one line each, for the answer. With the header
 * `X-Strict: 1` it is refused instead, regardless of the declaration; a calculation always refuses a mistyped or misplaced key,
 * except with `X-Strict: 0`.
 */
export const checkUnknownKeys = (operation: Registered, call: Call, input: unknown): string[] => {
  const strict = headerOf(call, 'x-strict');
  const isStrict = strict === '1';
  if (!isStrict && operation.unknownKeys === undefined) return [];
  const found = unknownKeys(operation.input, input, expectedIn(operation));
  const misplaced = misplacedKeys(operation, call);
  // A result without what was meant is worse than none.
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

/** The answer with the ignored keys in the declared member. */
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
