/** The rules of svg-rules.ts for values in UTF-8: what is plainly harmless is never made into a string. */
import { isSafeStyle } from './svg-rules.ts';
import { textOf } from './xml-text.ts';

const [hash, opening, closing, at, lt, backslash, upperV, lowerV, upperZ, lowerZ] = [
  35, 40, 41, 64, 60, 92, 86, 118, 90, 122,
];

/** Characters of a local reference. */
const referenceBytes = new Uint8Array(256);
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-'))
  referenceBytes[byte] = 1;
const maxReferenceLength = 200;

/** Each is in what a style must not contain. */
const signs = new Uint8Array(256);
for (const byte of [opening, at, lt, backslash, upperV, lowerV, upperZ, lowerZ]) signs[byte] = 1;

const [atImport, atCharset, moz, script, behaviour, expression, url] = [
  '@import',
  '@charset',
  '-moz-binding',
  'javascript:',
  'behavio',
  'expression',
  'url',
].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];

/** The word in any case; a few other characters pass as "-", ":" or "@", too. */
const isWordAt = (bytes: Uint8Array, from: number, word: Uint8Array): boolean => {
  for (let i = 0; i < word.length; i += 1)
    if (((bytes[from + i] as number) | 32) !== ((word[i] as number) | 32)) return false;
  return true;
};

/** The end of `#name` at this place; -1 when it is something else. */
const afterReference = (bytes: Uint8Array, from: number): number => {
  if (bytes[from] !== hash) return -1;
  let end = from + 1;
  while (referenceBytes[bytes[end] as number] === 1) end += 1;
  return end > from + 1 && end <= from + 1 + maxReferenceLength ? end : -1;
};

/** True for `#name`. */
export const isLocalReference = (bytes: Uint8Array, from: number, to: number): boolean =>
  afterReference(bytes, from) === to;

/** What the "(" at this place belongs to: `no` for a function that loads nothing. */
const callAt = (bytes: Uint8Array, from: number, to: number): 'no' | 'local' | 'unclear' => {
  let end = to;
  while (end > from && (bytes[end - 1] as number) <= 32) end -= 1;
  // Some blanks have several bytes.
  if (end > from && (bytes[end - 1] as number) >= 128) return 'unclear';
  if (end - from >= expression.length && isWordAt(bytes, end - expression.length, expression))
    return 'unclear';
  if (end - from < url.length || !isWordAt(bytes, end - url.length, url)) return 'no';
  const after = end === to ? afterReference(bytes, to + 1) : -1;
  return after >= 0 && bytes[after] === closing ? 'local' : 'unclear';
};

/** False when the sign at this place may belong to something that a style must not contain. */
const isHarmlessAt = (bytes: Uint8Array, from: number, place: number): boolean => {
  const byte = bytes[place] as number;
  if (byte === opening) return callAt(bytes, from, place) !== 'unclear';
  if (byte === lt || byte === backslash) return false;
  if (byte === at) return !isWordAt(bytes, place, atImport) && !isWordAt(bytes, place, atCharset);
  if (byte === upperZ || byte === lowerZ) return !isWordAt(bytes, place - 3, moz);
  return !isWordAt(bytes, place - 2, script) && !isWordAt(bytes, place - 4, behaviour);
};

export const isSafeStyleIn = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let place = from; place < to; place += 1)
    if (signs[bytes[place] as number] === 1 && !isHarmlessAt(bytes, from, place))
      return isSafeStyle(textOf(bytes, from, to));
  return true;
};

/** An attribute other than `style`: it is judged as one when it contains `url(` or escapes. */
export const isSafeValueIn = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let place = from; place < to; place += 1) {
    const byte = bytes[place];
    if (byte === backslash) return false;
    const call = byte === opening ? callAt(bytes, from, place) : 'no';
    if (call === 'no') continue;
    if (call === 'local') return isSafeStyleIn(bytes, from, to);
    const text = textOf(bytes, from, to);
    return !/url\s*\(|\\/i.test(text) || isSafeStyle(text);
  }
  return true;
};
