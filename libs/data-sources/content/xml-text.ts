/** Characters, names and references of XML in UTF-8, for xml-scanner.ts. A byte 0, which no text has, follows the text. */
import { ContentError } from './walk.ts';

export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

export const malformed = (problem: string): never => {
  throw new ContentError(`the SVG is not well-formed: ${problem}`);
};

const [ampersand, hash, semicolon, letterX] = [38, 35, 59, 120];

/** Sets of byte values. */
const [beginsName, isInName, isBlank, isForbidden, isLead] = [1, 2, 4, 8, 16];
const kinds = new Uint8Array(256);
const mark = (characters: string, kind: number): void => {
  for (const byte of Buffer.from(characters, 'latin1')) kinds[byte] = (kinds[byte] ?? 0) | kind;
};
mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', beginsName | isInName);
mark('0123456789.-:', isInName);
mark(' \t\r\n', isBlank);
for (let code = 0; code < 32; code += 1) if (kinds[code] === 0) kinds[code] = isForbidden;
// Of U+FFFE and U+FFFF.
mark('\u00ef', isLead);

const kindAt = (bytes: Uint8Array, at: number): number => kinds[bytes[at] as number] as number;

export const afterBlanks = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while ((kindAt(bytes, at) & isBlank) !== 0) at += 1;
  return at;
};

export const isNameStart = (byte: number): boolean => ((kinds[byte] as number) & beginsName) !== 0;

/** The end of the name at this place. */
export const afterName = (bytes: Uint8Array, from: number): number => {
  if (!isNameStart(bytes[from] as number)) malformed('a name is missing or not plain');
  let at = from + 1;
  while ((kindAt(bytes, at) & isInName) !== 0) at += 1;
  return at;
};

/** Refuses characters that no text may contain, wherever they are. */
export const checkCharacters = (bytes: Uint8Array, from: number, to: number): void => {
  for (let at = from; at < to; at += 1) {
    const kind = kindAt(bytes, at);
    if (kind < isForbidden) continue;
    if (kind === isForbidden || (bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe))
      malformed('a character that no text has');
  }
};

export const textOf = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString();

export const isTextAt = (bytes: Uint8Array, from: number, text: Uint8Array): boolean => {
  for (let i = 0; i < text.length; i += 1) if (bytes[from + i] !== text[i]) return false;
  return true;
};

/** Where the text is first, up to the end of all; -1 without it. */
export const indexOf = (bytes: Uint8Array, from: number, text: Uint8Array): number => {
  for (let at = from; bytes[at] !== 0; at += 1)
    if (bytes[at] === text[0] && isTextAt(bytes, at, text)) return at;
  return -1;
};

/** Up to its `?>`; the third group is the encoding. */
export const xmlDeclaration =
  /^<\?xml\s+version\s*=\s*(["'])1\.0\1(?:\s+encoding\s*=\s*(["'])([\w.-]+)\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\4)?\s*$/;

const references = Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }).map(
  ([name, character]) => ({ text: Buffer.from(`&${name};`), code: character.charCodeAt(0) }),
);
const [maxDigits, maxHexDigits] = [7, 6];

const digitOf = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : 16;
};

/** The character of the reference at this place, and its length: `code * 16 + length`. Refuses unknown ones. */
const referenceAt = (bytes: Uint8Array, from: number): number => {
  if (bytes[from + 1] !== hash) {
    for (const { text, code } of references) if (isTextAt(bytes, from, text)) return code * 16 + text.length;
    return malformed('an "&" without a known entity');
  }
  const isHex = bytes[from + 2] === letterX;
  const base = isHex ? 16 : 10;
  const start = from + (isHex ? 3 : 2);
  let [at, code] = [start, 0];
  for (let digit = digitOf(bytes[at] as number); digit < base; digit = digitOf(bytes[at] as number)) {
    at += 1;
    if (at - start > (isHex ? maxHexDigits : maxDigits)) break;
    code = code * base + digit;
  }
  const digits = at - start;
  if (digits === 0 || digits > (isHex ? maxHexDigits : maxDigits) || bytes[at] !== semicolon)
    malformed('an "&" without a known entity');
  return code * 16 + at + 1 - from;
};

const isCharacter = (code: number): boolean => {
  const isControl = code < 32 && ((kinds[code] as number) & isBlank) === 0;
  const isNone = (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff || code > 0x10ffff;
  return !isControl && !isNone;
};

/** Refuses unknown references; whether they are characters is for `resolve` to say. */
export const checkReferences = (bytes: Uint8Array, from: number, to: number): void => {
  for (let at = from; at < to; at += 1) if (bytes[at] === ampersand) at += (referenceAt(bytes, at) & 15) - 1;
};

/** First bytes of characters, by the number of those that follow. */
const leads = [0, 0xc0, 0xe0, 0xf0];

/** Writes the character at this place in UTF-8; the place behind it. */
const write = (bytes: Uint8Array, at: number, code: number): number => {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  const more = code < 0x8_00 ? 1 : code < 0x1_00_00 ? 2 : 3;
  bytes[at] = (leads[more] as number) | (code >> (6 * more));
  for (let i = 1; i <= more; i += 1) bytes[at + i] = 0x80 | ((code >> (6 * (more - i))) & 0x3f);
  return at + more + 1;
};

/** Puts characters in place of their references, which are longer; the new end. */
export const resolve = (bytes: Uint8Array, from: number, to: number): number => {
  let end = from;
  for (let at = from; at < to;) {
    if (bytes[at] === ampersand) {
      const reference = referenceAt(bytes, at);
      const code = reference >> 4;
      if (!isCharacter(code)) malformed(`the character ${code}`);
      end = write(bytes, end, code);
      at += reference & 15;
    } else {
      bytes[end] = bytes[at] as number;
      end += 1;
      at += 1;
    }
  }
  return end;
};
