/** Secrets recognised in a text by their form, in one pass that is linear for any text. */
import { isSecretName } from './names.ts';
import { finished } from './steps.ts';
import type { Steps } from './steps.ts';

export const redacted = '[redacted]';

/** What is replaced, and by what; or the position from which to continue. */
type Found = { from: number; to: number; by?: string } | { next: number };

interface Scan {
  /** End of the last quote or replacement: the name of a member begins here. */
  opened: number;
  /** The characters up to here have been tried as a token. */
  noJwtBefore: number;
}

/** Looks at the text at a sign of a secret. */
type Finder = (text: string, at: number, sign: string, scan: Scan) => Found;

const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** Characters of base64url. */
const isUrlSafe = (code: number): boolean => isAlphanumeric(code) || code === 45 || code === 95;

const endOfRun = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && isUrlSafe(text.charCodeAt(at))) at += 1;
  return at;
};

/** Two to five base64url parts after `eyJ`: signed and encrypted tokens. */
const jwt: Finder = (text, from, sign, scan) => {
  if (from < scan.noJwtBefore) return { next: from + sign.length };
  const first = endOfRun(text, from);
  let end = first;
  let parts = 1;
  while (parts < 5 && text[end] === '.' && (parts > 1 || isUrlSafe(text.charCodeAt(end + 1)))) {
    end = endOfRun(text, end + 1);
    parts += 1;
  }
  if (parts >= 3) return { from, to: end };
  scan.noJwtBefore = first;
  return { next: from + sign.length };
};

const minKeyLength = 8;
const isEscape = (text: string, at: number): boolean =>
  text[at - 1] === '\\' && 'bfnrt'.includes(text[at] ?? ' ');

/** `dk_…`, unless it is the end of a longer word such as `sdk_version`. */
const developerKey: Finder = (text, from) => {
  if (from > 0 && isAlphanumeric(text.charCodeAt(from - 1)) && !isEscape(text, from - 1))
    return { next: from + 3 };
  const to = endOfRun(text, from);
  return to - from < 3 + minKeyLength ? { next: to } : { from, to };
};

/** Replaces what a sticky pattern finds, without its first and second group. */
const matched =
  (pattern: RegExp): Finder =>
  (text, at) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return { next: at + 1 };
    return { from: at + (match[1]?.length ?? 0), to: at + match[0].length - (match[2]?.length ?? 0) };
  };

/** Characters of a name in a query string, where a space is `+` or `%20`. */
const isNameCharacter = (code: number): boolean =>
  isUrlSafe(code) || code === 46 || code === 91 || code === 93 || code === 43 || code === 37;
const escapedSeparators = /^.*%(?:26|3f|3d)/is;
const maxNameLength = 128;

/** The name that ends at this position. */
const nameBefore = (text: string, end: number): string => {
  let start = end;
  while (start > 0 && end - start < maxNameLength && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  return text
    .slice(isEscape(text, start) ? start + 1 : start, end)
    .replace(escapedSeparators, '')
    .replace(/%[0-9a-f]{2}/gi, ' ');
};

/** The closing quote of a text with as many backslashes before its opening one, or the end of all. */
const closingQuote = (text: string, from: number, quote: string, backslashes: number): number => {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let start = at;
    while (start > from && text[start - 1] === '\\') start -= 1;
    if (at - start <= backslashes) return start;
  }
  return text.length;
};

const openingQuote = /(\\{0,63})(["'])/y;

/** `?token=…`, `&api_key=…`, `password="…"`; the equals sign may be escaped, as in a URL inside a URL. */
const parameter =
  (value: RegExp): Finder =>
  (text, at, sign) => {
    const next = at + sign.length;
    if (!isSecretName(nameBefore(text, at))) return { next };
    openingQuote.lastIndex = next;
    const [opening, backslashes = '', quote] = openingQuote.exec(text) ?? [''];
    const from = next + opening.length;
    if (quote !== undefined) return { from, to: closingQuote(text, from, quote, backslashes.length) };
    value.lastIndex = from;
    const to = from + (value.exec(text)?.[0].length ?? 0);
    return to === from ? { next } : { from, to };
  };

const colon = /(?:\s|\\+[nrt]){0,65535}:(?:\s|\\+[nrt]){0,65535}/y;
/** A quote with its backslashes, a literal; nothing where a list, an object or something else begins. */
const value = /((\\{0,4095})")|([^\s,[\]{}"\\]+)/y;
const maxMemberName = 1_024;

const isSecretMember = (name: string): boolean => {
  const plain = name.replaceAll('\\', '');
  const code = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return isSecretName(plain) || (plain !== name && isSecretName(plain.replace(/u([0-9a-f]{4})/gi, code)));
};

/**
 * The value after `"name":` in JSON that cannot be parsed, because it is a part of a text or truncated. The end of an
 * object or list is unknown there, so everything after its beginning is hidden.
 */
const member: Finder = (text, at, sign, scan) => {
  const { opened } = scan;
  const next = at + sign.length;
  scan.opened = next;
  colon.lastIndex = next;
  if (at - opened > maxMemberName || !colon.test(text) || !isSecretMember(text.slice(opened, at)))
    return { next };
  const from = colon.lastIndex;
  value.lastIndex = from;
  const found = value.exec(text);
  if (found?.[0] === 'null') return { next };
  const [, quote, backslashes = '', literal] = found ?? [];
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  const mark = quote ?? `${text.slice(start, at)}"`;
  const by = mark + redacted + mark;
  // Quotes of one member have as many backslashes; others belong to different texts, of which no end is known.
  if (quote === undefined ? literal === undefined : backslashes.length !== at - start)
    return { from, to: text.length, by };
  if (quote === undefined) return { from, to: value.lastIndex, by };
  const end = closingQuote(text, from + quote.length, '"', backslashes.length);
  return { from, to: text.startsWith(quote, end) ? end + quote.length : end, by };
};

/** `://user:password@`. */
const urlPassword = /(:\/\/[^\s/"'\\@:]*:)[^\s/"'\\@]+(@)/;

const finders: Readonly<Record<string, Finder>> = {
  eyJ: jwt,
  dk_: developerKey,
  'api-': matched(/API-[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}/iy),
  $argon2: matched(/\$argon2(?:id|i|d)\$[A-Za-z0-9+/=,$-]+/y),
  bearer: matched(/(Bearer(?: +|%20))[\w.~+/-]{16,}=*/iy),
  basic: matched(/(Basic(?: +|%20))[\w.~+/-]{16,}=*/iy),
  '://': matched(new RegExp(urlPassword, 'y')),
  '=': parameter(/(?:(?:Bearer|Basic)(?: +|%20))?[^&\s"'\\<>;,)}]*/iy),
  '%3d': parameter(/(?:(?:Bearer|Basic)(?: +|%20))?(?:[^&\s"'\\<>;,)}%]|%(?!26))*/iy),
  '"': member,
  u0022: member,
};

const signs = /eyJ|dk_|\$argon2|:\/\/|=|%3d|%3D|[Aa][Pp][Ii]-|[Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc]/;
const signsOfValues = new RegExp(signs, 'g');
const signsOfMembers = new RegExp(`${signs.source}|"|u0022`, 'g');

/** The same, but of addresses only those with a password: most texts contain others. */
const signsWithPassword = new RegExp(signs.source.replace(String.raw`:\/\/`, urlPassword.source));

/** False when a text lacks every sign of a secret value. */
export const mayHoldSecretValue = (text: string): boolean => signsWithPassword.test(text);

const findsPerStep = 512;

/** The text without secret values, in steps; with `members`, also without those after `"name":`. */
export const withoutSecretsIn = function* (text: string, members: boolean): Steps<string> {
  const marks = members ? signsOfMembers : signsOfValues;
  const pieces: string[] = [];
  const scan: Scan = { opened: 0, noJwtBefore: 0 };
  let copied = 0;
  let at = 0;
  for (let count = 1; ; count += 1) {
    marks.lastIndex = at;
    const match = marks.exec(text);
    if (!match) return pieces.join('') + text.slice(copied);
    const [sign] = match;
    const find = finders[sign] ?? finders[sign.toLowerCase()];
    const found = find?.(text, match.index, sign, scan) ?? { next: match.index + 1 };
    if ('next' in found) at = found.next;
    else {
      pieces.push(text.slice(copied, found.from), found.by ?? redacted);
      at = found.to;
      copied = found.to;
      scan.opened = found.to;
    }
    if (count % findsPerStep === 0) yield;
  }
};

/** The text without developer keys, API keys, tokens, password hashes, passwords in URLs and secret parameters. */
export const withoutSecretValues = (text: string): string =>
  mayHoldSecretValue(text) ? finished(withoutSecretsIn(text, false)) : text;
