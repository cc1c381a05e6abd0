/** What a refused input was probably meant to be, for the member `hint` of the error. Values are not repeated: one may be a password. */
import type { z } from 'zod';
import { closeName } from '#domain/fields/nearest.ts';
import { memberNames } from '#domain/fields/unknown-keys.ts';
import { maxExplainedBytes } from '#domain/text/json-fault.ts';
import { iataHint, isIataForm } from '../queries/airports/common/iata-hints.ts';
import type { Call } from '../call.ts';
import type { Registered } from '../registry.ts';
import { closeKeyLines } from './unknown-keys.ts';

type Issue = z.core.$ZodIssue;
type TypeIssue = z.core.$ZodIssueInvalidType;

/** Issues of one input that are explained. */
const maxExplained = 10;

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );

/** Fields that hold an ICAO code, where people write the IATA code of a ticket. */
const airportFields = /^(?:icao|airport|origin|destination|alternate|from|to)$/i;

const codeHint = (value: string): string =>
  /^\s*[A-Z\d]{3,4}(?:[\s,;/]+[A-Z\d]{3,4})+\s*$/.test(value)
    ? 'send one ICAO code in a call'
    : 'an ICAO code has four letters or digits, such as KJFK';

const isNumberText = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*-?[\d.,]+\s*$/.test(value);

/** A number with its unit, its key letter or a separator: `30C`, `Q1013`, `FL350`, `60,000`. */
const isMeasureText = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*[A-Za-z]{0,2}\s*-?\d[\d.,' ]*\s*[A-Za-z°%]{0,4}\s*$/.test(value);

const objectHint = (operation: Registered, given: unknown, path: string, value: unknown): string | null => {
  if (typeof value === 'string' && /^\s*[[{]/.test(value))
    return 'is a text with JSON inside; send the object itself';
  const names = memberNames(operation.input, path, given);
  if (names.length === 0) return null;
  return `${Array.isArray(value) ? 'is a list; send one object that' : ''} has the members ${names.join(', ')}`.trim();
};

/** What to change about a value of another type; null: nothing that the message does not say. */
const typeHint = ({ expected, message }: TypeIssue, value: unknown): string | null => {
  if (expected === 'number' || expected === 'int') {
    if (isNumberText(value)) return 'is a text; send the number without quotes';
    return isMeasureText(value) ? 'is a text; send the number alone, without unit and quotes' : null;
  }
  if (expected === 'boolean' && ['true', 'false', '0', '1'].includes(String(value).toLowerCase()))
    return 'send true or false without quotes';
  if (expected === 'array') return 'send a list, also of one: […]';
  if (expected !== 'string') return null;
  if (Array.isArray(value)) return 'is a list; send one of its texts';
  if (typeof value === 'object') return 'is an object; send the text alone';
  // A message that says what it must be, such as a time, says more.
  return typeof value === 'number' && !message.startsWith('must be') ? 'is a number; put it in quotes' : null;
};

/** The value of a list that differs in a few letters or in their case. */
const choiceHint = (choices: readonly unknown[], value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  const nearest = closeName(
    value,
    choices.flatMap((choice) => (typeof choice === 'string' ? [choice] : [])),
  );
  return nearest === null ? null : `did you mean ${nearest}?`;
};

const choicesOf = (issue: Issue): readonly unknown[] => {
  if (issue.code === 'invalid_value') return issue.values;
  if (issue.code !== 'invalid_union') return [];
  const { options = [] } = issue as { options?: readonly unknown[] };
  return [...options, ...issue.errors.flatMap((inner) => inner.flatMap(choicesOf))];
};

const hintOf = (operation: Registered, given: unknown, issue: Issue): string | null => {
  const value = valueAt(given, issue.path);
  if (value === undefined || value === null) return null;
  if (issue.code !== 'invalid_type') return choiceHint(choicesOf(issue), value);
  return issue.expected === 'object'
    ? objectHint(operation, given, issue.path.map(String).join('.'), value)
    : typeHint(issue, value);
};

/** Names under which other interfaces have the input. */
const otherData = /^(?:data|params?|parameters|input|args|arguments|variables|payload|body)$/i;

const renamedData = ({ inputFrom = 'data' }: Registered, { body: { fields } }: Call): string[] =>
  inputFrom !== 'data' || fields['data'] !== undefined
    ? []
    : Object.keys(fields)
        .filter((name) => otherData.test(name))
        .slice(0, 1)
        .map((name) => `${name}: is not known; did you mean data?`);

/** The hints of a refused input in one text, empty when nothing is known. */
export const hintFor = async (
  operation: Registered,
  call: Call,
  given: unknown,
  issues: readonly Issue[],
): Promise<string> => {
  // Walking a large body again would cost ten times its validation.
  if (call.body.bytes > maxExplainedBytes) return '';
  const missing = issues
    .filter(({ path }) => valueAt(given, path) === undefined)
    .map(({ path }) => path.map(String).join('.'));
  const hints = [...renamedData(operation, call), ...closeKeyLines(operation, given, missing)];
  for (const issue of issues.slice(0, maxExplained)) {
    const path = issue.path.map(String).join('.') || 'data';
    const hint = hintOf(operation, given, issue);
    if (hint !== null) hints.push(`${path}: ${hint}`);
    const value = valueAt(given, issue.path);
    if (!airportFields.test(String(issue.path.at(-1))) || typeof value !== 'string') continue;
    const iata = isIataForm(value)
      ? iataHint(value, await call.tools.caches.availableAirports.get('all'))
      : null;
    hints.push(`${path}: ${iata ?? codeHint(value)}`);
  }
  return hints.join('; ');
};
