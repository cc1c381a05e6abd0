/**
 * Control characters, line and paragraph separators, characters that reorder surrounding text, and those that nobody sees.
 * The joiners remain, which Persian, Indic scripts and emoji need.
 */
const unprintable = /[\p{Cc}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
export const unprintables = new RegExp(`${unprintable.source}+`, 'gu');

/** True for a text in one line of which every character is seen. */
export const isPrintable = (text: string): boolean => !unprintable.test(text);

/** Text without control characters, also those that reverse the direction of what follows; lines end with \n. */
export const withoutControls = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
