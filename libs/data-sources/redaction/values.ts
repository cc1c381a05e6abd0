/** Secrets recognised by their form, anywhere in a text. All finders are linear. */
import { isSecretName } from './names.ts';

export const redacted = '[redacted]';

const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** Characters of base64url. */
const isUrlSafe = (code: number): boolean => isAlphanumeric(code) || code === 45 || code === 95;

const endOfRun = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && isUrlSafe(text.charCodeAt(at))) at += 1;
  return at;
};

/**
 * Copies `text`, replacing what `find` returns at each position of `marker`; `find` also returns where to
 * continue.
 */
const replaceAt = (
  text: string,
  marker: string,
  find: (at: number) => { from: number; to: number } | { next: number },
): string => {
  let at = text.indexOf(marker);
  if (at === -1) return text;
  let out = '';
  let copied = 0;
  while (at !== -1) {
    const found = find(at);
    if ('next' in found) {
      at = text.indexOf(marker, Math.max(found.next, at + 1));
      continue;
    }
    out += text.slice(copied, found.from) + redacted;
    copied = found.to;
    at = text.indexOf(marker, copied);
  }
  return out + text.slice(copied);
};

/** Two to five base64url parts after `eyJ`: signed and encrypted tokens. */
const withoutJwts = (text: string): string =>
  replaceAt(text, 'eyJ', (from) => {
    const first = endOfRun(text, from);
    let end = first;
    let parts = 1;
    while (parts < 5 && text[end] === '.' && (parts > 1 || isUrlSafe(text.charCodeAt(end + 1)))) {
      end = endOfRun(text, end + 1);
      parts += 1;
    }
    return parts >= 3 ? { from, to: end } : { next: first };
  });

const minKeyLength = 8;
const isEscape = (text: string, at: number): boolean =>
  text[at - 1] === '\\' && 'bfnrt'.includes(text[at] ?? ' ');

/** `dk_…`, unless it is the end of a longer word such as `sdk_version`. */
const withoutDeveloperKeys = (text: string): string =>
  replaceAt(text, 'dk_', (from) => {
    if (from > 0 && isAlphanumeric(text.charCodeAt(from - 1)) && !isEscape(text, from - 1))
      return { next: from + 3 };
    const to = endOfRun(text, from);
    return to - from < 3 + minKeyLength ? { next: to } : { from, to };
  });

const apiKey = /API-[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}/gi;
const passwordHash = /\$argon2(?:id|i|d)\$[A-Za-z0-9+/=,$-]+/g;
const authorization = /(Bearer|Basic)( +|%20)[\w.~+/-]{16,}=*/gi;
const userInfo = /(:\/\/[^\s/"'\\@:]*:)[^\s/"'\\@]+@/g;

/** Characters of a name in a query string, where a space is `+` or `%20`. */
const isNameCharacter = (code: number): boolean =>
  isUrlSafe(code) || code === 46 || code === 91 || code === 93 || code === 43 || code === 37;
const escapedSeparators = /^.*%(?:26|3f|3d)/is;
const maxNameLength = 128;

/** The name that ends at this position. */
export const nameBefore = (text: string, end: number): string => {
  let start = end;
  while (start > 0 && end - start < maxNameLength && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  return text
    .slice(isEscape(text, start) ? start + 1 : start, end)
    .replace(escapedSeparators, '')
    .replace(/%[0-9a-f]{2}/gi, ' ');
};

/** `?token=…`, `&api_key=…`, `password=…`; `equals` is the sign itself or its escaped form. */
const withoutParameters = (text: string, equals: '=' | '%3D' | '%3d', end: RegExp): string =>
  replaceAt(text, equals, (at) => {
    const next = at + equals.length;
    if (!isSecretName(nameBefore(text, at))) return { next };
    const isQuoted = text[next] === "'";
    const from = isQuoted ? next + 1 : next;
    const stop = isQuoted ? /['"\\]/g : end;
    stop.lastIndex = from;
    const to = stop.exec(text)?.index ?? text.length;
    return to === from ? { next: from } : { from, to };
  });

const parameterEnd = /[&\s"'\\<>;,)}]/g;
const escapedEnd = /[&\s"'\\<>;,)}]|%26/g;

const withoutSecretParameters = (text: string): string =>
  withoutParameters(
    withoutParameters(withoutParameters(text, '=', parameterEnd), '%3D', escapedEnd),
    '%3d',
    escapedEnd,
  );

const signs = /=|%3d|\$argon2|dk_|eyJ|api-|bearer|basic|:\/\/[^\s/"'\\]*@/i;

/** False when a text lacks every marker of secret values. */
export const mayHoldSecretValue = (text: string): boolean => signs.test(text);

/** The text without developer keys, API keys, tokens, password hashes, passwords in URLs and secret parameters. */
export const withoutSecretValues = (text: string): string => {
  if (!mayHoldSecretValue(text)) return text;
  return withoutSecretParameters(
    withoutDeveloperKeys(withoutJwts(text))
      .replace(apiKey, redacted)
      .replace(passwordHash, redacted)
      .replace(authorization, `$1$2${redacted}`)
      .replace(userInfo, `$1${redacted}@`),
  );
};
