/** First and last names: anyone can choose them, and they appear in mails of this service. */
import { requiredTextField } from '../fields/index.ts';
import type { FieldCodes } from '../fields/index.ts';
import { isPrintable, unprintables } from '../text/controls.ts';

export const maxNameLength = 50;

/** True for printable text without a URL (`://`). */
const isPlainName = (text: string): boolean => isPrintable(text) && !text.includes('://');

/** A first or last name: 1 to 50 characters, plain. */
export const nameField = (codes: FieldCodes = {}) =>
  requiredTextField(maxNameLength, codes).refine(isPlainName, codes.invalid ?? 'INVALID_FIELD');

/** Dots and colons before further text, and at-signs: mail programs turn such texts into links. */
const linking = /[.\u2024\u3002\uff0e\uff61:\uff1a](?=\S)|[@\uff20]/gu;

/**
 * A name for a mail, written so that no program makes it a link (`www.evil.example` becomes `www. evil. example`).
 * Stored names may predate the rules of `nameField`.
 */
export const nameInMail = (name: string): string =>
  Array.from(
    name
      .replaceAll(unprintables, ' ')
      .replaceAll('://', ' ')
      .replaceAll(linking, (mark) => `${mark === '@' || mark === '\uff20' ? ' at' : mark} `)
      .trim(),
  )
    .slice(0, maxNameLength)
    .join('');
