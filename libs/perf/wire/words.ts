import { amountOf, inUnits, sayer } from './amounts.ts';
import type { Kind, Say } from './amounts.ts';
import type { Converter } from './units.ts';

type Name<P> = keyof P & string;

/** A parameter or constant with its kind; for a range, the exceeded end. */
type Measure<P> = `${Name<P> | number}:${Kind}` | `${Name<P>}..${Name<P>}:${Kind}`;

interface Special<P> {
  /** the compared numbers if not the first two of the text; null: none */
  value?: Measure<P> | null;
  limit?: Measure<P> | null;
  /** the text when one of its numbers is null */
  without?: string;
  /** optional suffix */
  more?: (params: P, say: Say) => string;
}

/**
 * The field a caution refers to (in the request, or in `performance` of the answer; null: none) and its text.
 * `{tailwindKt:wind}` is a number whose kind decides unit and rounding, `{flap}` a verbatim parameter, `{rule:text}` a text
 * with metres or kilograms. The caution compares the first two numbers.
 */
export type Words<P> = readonly [field: string | null, text: string, special?: Special<P>];

type Params = Readonly<Record<string, unknown>>;

/** A parameter or a literal number. */
const given = (name: string, params: Params): unknown => (/^\d/.test(name) ? Number(name) : params[name]);

const placeholders = /\{(\w+)(?::([^}]*))?\}/g;
const wordKinds: Readonly<Record<string, (text: string, say: Say) => string>> = {
  text: inUnits,
  upper: (text) => text.toUpperCase(),
};

const filled = (text: string, params: Params, say: Say): string =>
  text.replaceAll(placeholders, (_, name: string, kind?: string) => {
    const value = given(name, params);
    if (kind === undefined) return String(value);
    return wordKinds[kind]?.(String(value), say) ?? say(kind as Kind, Number(value));
  });

/** Units of the value and limit that a caution compares. */
export const comparedBy = ([, text, special = {}]: Words<never>): (string | null | undefined)[] => {
  const numbers = [...text.matchAll(placeholders)].flatMap(([, name, kind]) =>
    kind === undefined || wordKinds[kind] ? [] : [`${name}:${kind}`],
  );
  const { value = numbers[0], limit = numbers[1] } = special;
  return [value, limit];
};

const kindOf = (measure: string): Kind => measure.split(':')[1] as Kind;

const numberOf = (measure: string, params: Params, value: number): number => {
  const names = measure.split(':')[0] ?? '';
  const [least = 0, most = least] = names.split('..').map((name) => Number(given(name, params)));
  return value < least ? least : most;
};

/** A caution or refusal in the request's units. */
export const worded = <P extends Params>(words: Words<P>, params: P, convert: Converter) => {
  const [field, text, { without, more } = {}] = words;
  const say = sayer(convert);
  const amount = (measure: string | null | undefined, of: number) =>
    measure ? amountOf(kindOf(measure), numberOf(measure, params, of), convert) : null;
  const [compared, against] = comparedBy(words);
  const value = amount(compared, 0);
  const limit = amount(against, compared ? numberOf(compared, params, 0) : 0);
  const lacks = [...text.matchAll(placeholders)].some(([, name = '']) => params[name] === null);
  return {
    field,
    text: `${filled(lacks && without !== undefined ? without : text, params, say)}${more?.(params, say) ?? ''}`,
    value: value?.value ?? null,
    limit: limit?.value ?? null,
    unit: (value ?? limit)?.unit ?? null,
  };
};
