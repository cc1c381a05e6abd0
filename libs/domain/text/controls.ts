/**
 * Control characters, line and paragraph separators, bidirectional controls, and invisible characters. Joiners and
 * variation selectors are allowed, since Persian, Indic scripts, Mongolian and emoji need them.
 */
const unprintable =
  /(?!\u200c|\u200d|\u180e|\p{Variation_Selector})[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;
export const unprintables = new RegExp(`(?:${unprintable.source})+`, 'gu');

/** True for a single-line text in which every character is visible. */
export const isPrintable = (text: string): boolean => !unprintable.test(text);

/** Removes control characters, including bidirectional ones; lines end with a line feed. */
export const withoutControls = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();

/** Phones and word processors type other dashes for a hyphen. */
const dashes = /[\p{Pd}\u2212]/gu;

export const withHyphens = (text: string): string => text.replaceAll(dashes, '-');

/** Normalises a typed code; null if it cannot be one. */
export const typedCode = (text: string, form: RegExp): string | null => {
  const code = withHyphens(text).replaceAll(/[\s-]/g, '').toUpperCase();
  return form.test(code) ? code : null;
};
