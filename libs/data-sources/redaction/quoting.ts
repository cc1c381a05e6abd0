/**
 * Quotes of JSON and of JSON inside its strings, distinguished by the backslashes before them: `"` has level 0,
 * `\"` level 1 (JSON inside a string), `\\\"` level 2, `\\\\\\\"` level 3. Further backslashes belong to the
 * preceding text.
 */
const backslash = 92;
/** A quote as some serialisers escape it inside a string. */
const unicodeQuote = 'u0022';

export interface Quote {
  level: number;
  /** Start of the quote including its backslashes. */
  start: number;
  end: number;
}

/**
 * Each level of quoting doubles the backslashes and adds one, so the level is the number of trailing binary
 * ones of n.
 */
const levelOf = (backslashes: number): number => {
  let level = 0;
  for (let n = backslashes; n % 2 === 1; n = (n - 1) / 2) level += 1;
  return level;
};

const unicodeLevelOf = (backslashes: number): number => {
  let level = 1;
  let n = backslashes;
  for (; n % 2 === 0; n /= 2) level += 1;
  return level + levelOf((n - 1) / 2);
};

/** The text of a quote of this level. */
export const quoteOf = (level: number): string => `${'\\'.repeat(2 ** level - 1)}"`;

const plainQuote = (position: number, backslashes: number): Quote => {
  const level = levelOf(backslashes);
  return { level, start: position - (2 ** level - 1), end: position + 1 };
};

/** `u0022` alone is plain text: a level that no quote has. */
const escapedQuote = (position: number, backslashes: number): Quote => ({
  level: backslashes === 0 ? Number.POSITIVE_INFINITY : unicodeLevelOf(backslashes),
  start: position - backslashes,
  end: position + unicodeQuote.length,
});

const manyBackslashes = '\\'.repeat(4_096);

const backslashesBefore = (text: string, position: number): number => {
  let start = position;
  while (start >= manyBackslashes.length && text.startsWith(manyBackslashes, start - manyBackslashes.length))
    start -= manyBackslashes.length;
  while (start > 0 && text.charCodeAt(start - 1) === backslash) start -= 1;
  return position - start;
};

export type QuoteFinder = (from: number) => Quote | null;

const finderOf = (
  text: string,
  sign: string,
  quoteOfRun: (position: number, backslashes: number) => Quote,
): QuoteFinder => {
  let found: Quote | null = null;
  let isOver = false;
  return (from) => {
    if (isOver || (found !== null && found.start >= from)) return found;
    const position = text.indexOf(sign, from);
    isOver = position === -1;
    found = isOver ? null : quoteOfRun(position, backslashesBefore(text, position));
    return found;
  };
};

/**
 * Finds the next quote from a position on; positions must never decrease, so that all searches are one pass.
 */
export const quoteFinder = (text: string): QuoteFinder => {
  const nextPlain = finderOf(text, '"', plainQuote);
  if (!text.includes(unicodeQuote)) return nextPlain;
  const nextEscaped = finderOf(text, unicodeQuote, escapedQuote);
  return (from) => {
    const plain = nextPlain(from);
    const escaped = nextEscaped(from);
    return escaped && (plain === null || escaped.start < plain.start) ? escaped : plain;
  };
};

/** The quote that begins at this position, with its backslashes. */
export const quoteAt = (text: string, from: number): Quote | null => {
  let position = from;
  while (text.charCodeAt(position) === backslash) position += 1;
  if (text[position] === '"') return plainQuote(position, position - from);
  return position > from && text.startsWith(unicodeQuote, position)
    ? escapedQuote(position, position - from)
    : null;
};

const maxSpace = 65_536;
/** Backslashes before the letter of an escape, six levels deep. */
const maxEscape = 64;

/** The first position from here on that is neither white space nor its escape (`\n`, `\\n`). */
export const afterSpace = (text: string, from: number): number => {
  let position = from;
  for (;;) {
    if (position - from > maxSpace) return position;
    const code = text.charCodeAt(position);
    if (code === 32 || (code >= 9 && code <= 13)) {
      position += 1;
      continue;
    }
    if (code !== backslash) return position;
    let end = position;
    while (end - position < maxEscape && text.charCodeAt(end) === backslash) end += 1;
    if (!'nrt'.includes(text[end] ?? ' ')) return position;
    position = end + 1;
  }
};

/** The text between two quotes of this level, its escapes resolved. */
export const unescaped = (content: string, level: number): string => {
  let text = content;
  for (let i = 0; i <= level && text.includes('\\'); i += 1) {
    try {
      text = JSON.parse(`"${text}"`) as string;
    } catch {
      // Not JSON after all: the text is used unchanged.
      return text;
    }
  }
  return text;
};
