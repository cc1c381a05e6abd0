/** Locates a JSON syntax error, for the developer who typed it. */

/** Larger bodies come from programs, which cannot read an explanation. */
export const maxExplainedBytes = 65_536;

const messageOf = (text: string): string | null => {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const isToken = (text: string): boolean => messageOf(text)?.startsWith('Unexpected token') ?? false;

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

/** Matched with the text from the error on, and with the text before it. */
const rules: readonly [when: RegExp, rule: string, before?: RegExp][] = [
  [/^/, 'a number does not begin with 0', /[\s:,[]-?0$/],
  [/^\+?\d/, 'the decimal sign is a point; a comma separates two members', /\d,\s*$/],
  [/^\+/, 'a number has no sign +'],
  [/^\./, 'a number has a digit before its point'],
  [/^[{["]/, 'a second value begins where the body should end', /[}\]]\s*$/],
  [/^['`‘’“”]/, 'strings and names need double quotes (")'],
  [/^(?:NaN|-?Infinity|undefined)/, 'a value that is not known is null, or left out'],
  [/^(?:True|False|None)/, 'JSON has true, false and null'],
  [/^(?:\/[/*]|#)/, 'JSON has no comments'],
  [/^[}\]]/, 'a comma may only separate two members'],
  [/^[A-Za-z_$]/, 'strings and names need double quotes (")'],
];

/**
 * Position and reason in one line: `line 1, column 39 ("}"): a comma may only separate two members`. Parses the text
 * some twenty times, so its size must be bounded.
 */
export const jsonFault = (text: string): string => {
  const message = messageOf(text) ?? '';
  const named = /at position (\d+)/.exec(message)?.[1];
  const position = named === undefined ? positionOfToken(text) : Number(named);
  if (/^Unexpected end|^Unterminated/.test(message) || position >= text.length)
    return 'the text ends in the middle of a value';
  const before = text.slice(0, position).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  const rest = text.slice(position, position + 20);
  const sofar = text.slice(Math.max(0, position - 20), position);
  const rule =
    rules.find(([when, , behind]) => when.test(rest) && (behind?.test(sofar) ?? true))?.[1] ??
    'this is not expected here';
  return `${place} (${JSON.stringify(rest.slice(0, 1).toWellFormed())}): ${rule}`;
};
