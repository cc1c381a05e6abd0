/** Locates a JSON syntax error, so that the developer can correct it. */

/** Larger bodies come from programs, which cannot read an explanation. */
export const maxExplainedBytes = 65_536;

const messageOf = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const isToken = (text: string): boolean => messageOf(text).startsWith('Unexpected token');

/** The parser does not locate an unexpected token: it is the last one of the shortest prefix that fails. */
const positionOfToken = (text: string): number => {
  let [without, withIt] = [0, text.length];
  while (withIt - without > 1) {
    const middle = Math.floor((without + withIt) / 2);
    if (isToken(text.slice(0, middle))) withIt = middle;
    else without = middle;
  }
  return withIt - 1;
};

/**
 * Position and reason, without the part of the text that the parser quotes: `line 1, column 39: Expected double-quoted
 * property name`. Parses the text some twenty times, so its size must be bounded.
 */
export const jsonFault = (text: string): string => {
  const message = messageOf(text);
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? positionOfToken(text));
  const before = text.slice(0, position).split('\n');
  const reason = message.replace(/ (?:in|after) JSON at position [^]*$|, (?:\.\.\.)?"[^]*$/, '');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${reason}`;
};
