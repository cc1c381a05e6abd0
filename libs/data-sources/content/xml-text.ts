/** Names, blanks and references of XML, for xml-scanner.ts. */
import { ContentError } from './walk.ts';

export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

export const malformed = (problem: string): never => {
  throw new ContentError(`the SVG is not well-formed: ${problem}`);
};

const [tab, lf, cr, blank] = [9, 10, 13, 32];

/** 1: may begin a name, 2: may be within one. */
const nameClass = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_')
  nameClass[character.charCodeAt(0)] = 3;
for (const character of '0123456789.-:') nameClass[character.charCodeAt(0)] = 2;

const isBlank = (code: number): boolean => code === blank || code === lf || code === tab || code === cr;

export const afterBlanks = (text: string, from: number): number => {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
};

/** The end of the name at this place. */
export const afterName = (text: string, from: number): number => {
  let at = from;
  if (((nameClass[text.charCodeAt(at)] ?? 0) & 1) === 0) malformed('a name is missing or not plain');
  while (((nameClass[text.charCodeAt(at)] ?? 0) & 2) !== 0) at += 1;
  return at;
};

/** The part behind the prefix. */
export const localOf = (name: string): string => {
  const colon = name.indexOf(':');
  if (colon < 0) return name;
  if (afterName(name, colon + 1) < name.length || name.includes(':', colon + 1))
    malformed(`the name ${name}`);
  return name.slice(colon + 1);
};

/** Up to its `?>`; the third group is the encoding. */
export const xmlDeclaration =
  /^<\?xml\s+version\s*=\s*(["'])1\.0\1(?:\s+encoding\s*=\s*(["'])([\w.-]+)\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\4)?\s*$/;

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const wrongReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;

const characterOf = (code: number): string => {
  const isControl = code < 32 && !isBlank(code);
  const isNone = (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff || code > 0x10ffff;
  return isControl || isNone ? malformed(`the character ${code}`) : String.fromCodePoint(code);
};

export const checkReferences = (text: string): void => {
  if (wrongReference.test(text)) malformed('an "&" without a known entity');
};

/** With its entities as characters. */
export const resolved = (text: string): string =>
  text.replace(/&(\w+|#\w+);/g, (_, name: string) => {
    if (name.startsWith('#x')) return characterOf(Number.parseInt(name.slice(2), 16));
    return references[name] ?? characterOf(Number(name.slice(1)));
  });

/** No text may contain them, wherever it is. */
// eslint-disable-next-line no-control-regex -- these are the characters that XML forbids.
export const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** The value of an attribute. */
export const read = (value: string): string => {
  checkReferences(value);
  return resolved(value);
};

/** True when two attributes of an element have the same name. */
export const isRepeated = (attributes: readonly { name: string }[]): boolean =>
  attributes.length < 12
    ? attributes.some(({ name }, index) => attributes.findIndex((other) => other.name === name) < index)
    : new Set(attributes.map(({ name }) => name)).size < attributes.length;

export const isDeclaration = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:');

export const checkNamespace = (prefix: string, uri: string): void => {
  const isReserved = prefix === 'xml' || prefix === 'xmlns' || uri === xmlnsNamespace || uri === xmlNamespace;
  if (isReserved || (prefix !== '' && uri === '') || /\s/.test(uri)) malformed('a reserved namespace');
};
