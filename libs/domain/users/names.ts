/** First and last names, which strangers can put into mail that this service sends. */
import { requiredTextField } from '../fields/index.ts';
import type { FieldCodes } from '../fields/index.ts';

export const maxNameLength = 50;

/** Control characters, line and paragraph separators, and marks that reorder the text around them. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** True for a text without control characters and without an address (`://`). */
export const isPlainName = (text: string): boolean => text.search(unprintable) < 0 && !text.includes('://');

/** A first or last name: 1 to 50 characters, plain. */
export const nameField = (codes: FieldCodes = {}) =>
  requiredTextField(maxNameLength, codes).refine(isPlainName, codes.invalid ?? 'INVALID_FIELD');

/** A stored name as mail may show it: what `nameField` refuses today may have been accepted before. */
export const nameInMail = (name: string): string =>
  Array.from(name.replaceAll(unprintable, ' ').replaceAll('://', ' ').trim())
    .slice(0, maxNameLength)
    .join('');
