/** First and last names: anyone can enter them, and they appear in mails that this service sends. */
import { requiredTextField } from '../fields/index.ts';
import type { FieldCodes } from '../fields/index.ts';

export const maxNameLength = 50;

/** Control characters, line and paragraph separators, and characters that reorder surrounding text. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** True for a text without control characters and without a URL (`://`). */
export const isPlainName = (text: string): boolean => text.search(unprintable) < 0 && !text.includes('://');

/** A first or last name: 1 to 50 characters, plain. */
export const nameField = (codes: FieldCodes = {}) =>
  requiredTextField(maxNameLength, codes).refine(isPlainName, codes.invalid ?? 'INVALID_FIELD');

/** A stored name for use in mails: names that `nameField` now refuses may have been accepted before. */
export const nameInMail = (name: string): string =>
  Array.from(name.replaceAll(unprintable, ' ').replaceAll('://', ' ').trim())
    .slice(0, maxNameLength)
    .join('');
