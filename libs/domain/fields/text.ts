/**
 * Text fields. Limits count characters as readers do and appear in the published JSON Schema, which counts the same
 * way. Trimmed texts are normalised to NFC, so that equal-looking names are equal, whatever keyboard wrote them.
 */
import { z } from 'zod';
import { isIcaoCode } from '../airports/ident.ts';
import { codesOf, missingOrInvalid } from './codes.ts';
import type { FieldCodes } from './codes.ts';
import { withHyphens } from '../text/controls.ts';

/** Number of characters; a letter outside the basic plane counts as one (M-8.12). */
export const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

/** A character has at most two code units, so very long texts are refused without counting. */
const isLonger = (text: string, max: number): boolean => text.length > 2 * max || lengthOf(text) > max;

/** Limits a text to `max` characters; a longer one raises `too_big` with this message. */
export const atMostCharacters = <S extends z.ZodType<string>>(schema: S, max: number, message: string): S =>
  schema
    .check(({ value, issues }) => {
      if (!isLonger(value, max)) return;
      // Skips further checks for an overlong text.
      const bound = { code: 'too_big', origin: 'string', maximum: max, inclusive: true } as const;
      issues.push({ ...bound, input: value, message, continue: false });
    })
    .meta({ maxLength: max });

/** Text of at most `max` characters, not trimmed. */
export const textField = (max: number, codes: FieldCodes = {}) =>
  atMostCharacters(z.string({ error: missingOrInvalid(codes) }), max, codesOf(codes).invalid);

const requiredText = (codes: FieldCodes) =>
  z
    .string({ error: missingOrInvalid(codes) })
    .trim()
    .normalize()
    .min(1, { error: codesOf(codes).missing, abort: true });

/** Required text of at most `max` characters, trimmed; blank is missing. */
export const requiredTextField = (max: number, codes: FieldCodes = {}) =>
  atMostCharacters(requiredText(codes), max, codesOf(codes).invalid);

/** Accepts a number for its digits, `flap: 30`; the published schema stays that of a text. */
export const orNumber = <S extends z.ZodType>(schema: S) =>
  z.preprocess((given) => (Number.isFinite(given) ? String(given) : given), schema);

/** Optional text of at most `max` characters, trimmed. Undefined when absent; null, '' and blank are null. */
export const optionalTextField = (
  max: number,
  { invalid = 'INVALID_FIELD' }: Pick<FieldCodes, 'invalid'> = {},
) =>
  atMostCharacters(z.string(invalid).trim().normalize(), max, invalid)
    .transform((text) => text || null)
    .nullish();

/** ICAO location indicator, upper-cased: a letter, then three letters or digits. */
export const icaoField = (codes: FieldCodes = {}) => {
  const { invalid } = codesOf(codes);
  return requiredTextField(4, codes).toUpperCase().refine(isIcaoCode, invalid).meta({ maxLength: 4 });
};

const maxEmailCharacters = 254;
/** Letters of any script and East Asian full stops; a URL parser would accept much else. */
const internationalDomain = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;
/** A dot-atom (RFC 5322) at a domain name (RFC 1123), possibly in its ASCII form. */
const addressForm =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+(?!\d+$)[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])$/;

/**
 * The address with its domain in ASCII, as mail programs send it: `a@müller.example` becomes `a@xn--mller-kva.example`.
 */
const asAscii = (address: string): string => {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  // eslint-disable-next-line no-control-regex -- ASCII has control characters, too
  if (/^[\0-\x7f]*$/.test(domain) || !internationalDomain.test(domain)) return address;
  return address.slice(0, at) + (URL.parse(`http://${domain}`)?.hostname ?? domain);
};

/** Email address with at most 254 characters. `malformed`: the code for a text that is not an address. */
export const emailField = ({
  malformed = 'INVALID_EMAIL',
  ...codes
}: FieldCodes & { malformed?: string } = {}) =>
  atMostCharacters(requiredText(codes), maxEmailCharacters, malformed)
    .transform(asAscii)
    .pipe(z.email({ pattern: addressForm, error: malformed }).max(maxEmailCharacters, malformed));

/** The three keys of an aircraft profile; the last two are null or absent for a standard aircraft. */
export const aircraftKeyFields = (codes: FieldCodes = {}) => ({
  file: requiredTextField(100, codes),
  userRegistration: textField(30, codes).overwrite(withHyphens).nullable().default(null),
  virtualAirline: textField(100, codes).normalize().nullable().default(null),
});
