/** Prefixes of names, and the namespaces that are declared for them where an element is. */
import { grownNumbers, idOf, idOfText, nameOf } from './xml-names.ts';
import type { Names } from './xml-names.ts';
import { isNameStart, malformed, xmlNamespace, xmlnsNamespace } from './xml-text.ts';

export interface Namespaces {
  names: Names;
  none: number;
  xml: number;
  xmlns: number;
  xmlUri: number;
  xmlnsUri: number;
  /** By name twice: its prefix + 1, and the rest. */
  parts: Int32Array;
  /** By prefix its namespace + 1; 0: not declared. */
  uris: Int32Array;
  prefixes: number;
  /** What open elements have declared; the depth of the last of them, or -1. */
  declared: { depth: number; prefix: number; outer: number }[];
  declaredAt: number;
}

const colon = 58;
/** Of all that are declared where an element is. */
const maxPrefixes = 32;

export const createNamespaces = (names: Names): Namespaces => {
  const [none, xml, xmlns] = [idOfText(names, ''), idOfText(names, 'xml'), idOfText(names, 'xmlns')];
  const [xmlUri, xmlnsUri] = [idOfText(names, xmlNamespace), idOfText(names, xmlnsNamespace)];
  const uris = new Int32Array(1_024);
  uris[xml] = xmlUri + 1;
  uris[xmlns] = xmlnsUri + 1;
  const parts = new Int32Array(2_048);
  return {
    names,
    none,
    xml,
    xmlns,
    xmlUri,
    xmlnsUri,
    parts,
    uris,
    prefixes: 2,
    declared: [],
    declaredAt: -1,
  };
};

/** Where the colon is first, or `to`. */
const colonFrom = (bytes: Uint8Array, from: number, to: number): number => {
  let at = from;
  while (at < to && bytes[at] !== colon) at += 1;
  return at;
};

const divide = ({ names, parts, none }: Namespaces, name: number): void => {
  const bytes = names.all;
  const from = names.starts[name] as number;
  const to = names.starts[name + 1] as number;
  const at = colonFrom(bytes, from, to);
  const local = at + 1;
  if (at < to) {
    const isName = local < to && isNameStart(bytes[local] as number);
    if (!isName || colonFrom(bytes, local, to) < to) malformed(`the name ${nameOf(names, name)}`);
  }
  parts[name * 2 + 1] = at < to ? idOf(names, bytes, local, to) : name;
  parts[name * 2] = (at < to ? idOf(names, bytes, from, at) : none) + 1;
};

/** Blanks of several bytes are looked for in the text. */
const hasBlanks = (names: Names, uri: number): boolean => {
  const { all, starts } = names;
  for (let at = starts[uri] as number; at < (starts[uri + 1] as number); at += 1)
    if ((all[at] as number) <= 32 || (all[at] as number) >= 128) return /\s/.test(nameOf(names, uri));
  return false;
};

/** Where `parts` has this name. */
const placeOf = (namespaces: Namespaces, name: number): number => {
  const place = name * 2;
  if (place >= namespaces.parts.length) namespaces.parts = grownNumbers(namespaces.parts, place + 2);
  if (namespaces.parts[place] === 0) divide(namespaces, name);
  return place;
};

/** The empty name without one. */
export const prefixOf = (namespaces: Namespaces, name: number): number => {
  const place = placeOf(namespaces, name);
  return (namespaces.parts[place] as number) - 1;
};

/** The part behind the prefix. */
export const localOf = (namespaces: Namespaces, name: number): number => {
  const place = placeOf(namespaces, name);
  return namespaces.parts[place + 1] as number;
};

export const uriOf = ({ names, uris, none }: Namespaces, prefix: number): number => {
  const uri = prefix < uris.length ? (uris[prefix] as number) : 0;
  if (uri === 0 && prefix !== none) malformed(`the prefix ${nameOf(names, prefix)}`);
  return uri === 0 ? none : uri - 1;
};

/** Until `forget` with the same depth. */
export const declare = (namespaces: Namespaces, prefix: number, uri: number, depth: number): void => {
  const { names, none, xml, xmlns, xmlUri, xmlnsUri, declared } = namespaces;
  const isReserved = prefix === xml || prefix === xmlns || uri === xmlUri || uri === xmlnsUri;
  if (isReserved || (prefix !== none && uri === none) || hasBlanks(names, uri))
    malformed('a reserved namespace');
  if (prefix >= namespaces.uris.length) namespaces.uris = grownNumbers(namespaces.uris, prefix + 1);
  const outer = namespaces.uris[prefix] as number;
  if (outer === 0) namespaces.prefixes += 1;
  if (namespaces.prefixes > maxPrefixes) malformed('too many namespaces');
  declared.push({ depth, prefix, outer });
  namespaces.declaredAt = depth;
  namespaces.uris[prefix] = uri + 1;
};

/** Ends what the element at this depth has declared. */
export const forget = (namespaces: Namespaces, depth: number): void => {
  const { declared, uris } = namespaces;
  while (namespaces.declaredAt === depth) {
    const last = declared.pop();
    if (last?.outer === 0) namespaces.prefixes -= 1;
    if (last) uris[last.prefix] = last.outer;
    namespaces.declaredAt = declared.at(-1)?.depth ?? -1;
  }
};
