/**
 * Control characters, line and paragraph separators, characters that reorder surrounding text, and those that nobody sees.
 * The joiners and selectors of variants remain, which Persian, Indic scripts, Mongolian and emoji need.
 */
const unprintable =
  /(?!\u200c|\u200d|\u180e|\p{Variation_Selector})[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;
export const unprintables = new RegExp(`(?:${unprintable.source})+`, 'gu');

/** True for a text in one line of which every character is seen. */
export const isPrintable = (text: string): boolean => !unprintable.test(text);

/** Text without control characters, also those that reverse the direction of what follows; lines end with \n. */
export const withoutControls = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();

/** What people type: keyboards of phones, and word processors, write other dashes for a hyphen. */
const dashes = /[\p{Pd}\u2212]/gu;

export const withHyphens = (text: string): string => text.replaceAll(dashes, '-');

/** The issued form of a code that was typed; null when it cannot be one. */
export const typedCode = (text: string, form: RegExp): string | null => {
  const code = withHyphens(text).replaceAll(/[\s-]/g, '').toUpperCase();
  return form.test(code) ? code : null;
};
