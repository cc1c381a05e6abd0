/** The attributes of one tag after the other, without an object for each. */
import { grownNumbers, idOf } from './xml-names.ts';
import { declare, localOf, prefixOf, uriOf } from './xml-namespaces.ts';
import type { Namespaces } from './xml-namespaces.ts';
import { malformed, resolve } from './xml-text.ts';

/** Names and namespaces are numbers of `Names`. One object for all elements, valid until the next one. */
export interface ScannedTag {
  /** Without its prefix. */
  local: number;
  uri: number;
  /** The text with the values. */
  bytes: Uint8Array;
  /** Of attributes. */
  count: number;
  locals: Int32Array;
  uris: Int32Array;
  /** Each value, with characters in place of references, is between these places. */
  froms: Int32Array;
  tos: Int32Array;
  /** By name the tag that had an attribute of this name last; and the number of this tag. */
  lastTags: Int32Array;
  number: number;
}

export const createTag = (): ScannedTag => ({
  local: 0,
  uri: 0,
  bytes: new Uint8Array(),
  count: 0,
  locals: new Int32Array(64),
  uris: new Int32Array(64),
  froms: new Int32Array(64),
  tos: new Int32Array(64),
  lastTags: new Int32Array(1_024),
  number: 0,
});

/** The value is between these places. */
export const addAttribute = (
  tag: ScannedTag,
  name: number,
  from: number,
  to: number,
  hasReferences: boolean,
): void => {
  const { count } = tag;
  if (count === tag.locals.length)
    for (const list of ['locals', 'uris', 'froms', 'tos'] as const) tag[list] = grownNumbers(tag[list]);
  tag.locals[count] = name;
  tag.froms[count] = from;
  // Negative until its references are resolved.
  tag.tos[count] = hasReferences ? -to : to;
  tag.count = count + 1;
};

const isRepeated = (tag: ScannedTag, name: number): boolean => {
  if (name >= tag.lastTags.length) tag.lastTags = grownNumbers(tag.lastTags, name + 1);
  if (tag.lastTags[name] === tag.number) return true;
  tag.lastTags[name] = tag.number;
  return false;
};

/** Of a complete tag at this depth: resolves values and namespaces, also of those that it declares. */
export const finishAttributes = (tag: ScannedTag, namespaces: Namespaces, depth: number): void => {
  const { bytes, count, locals, uris, froms, tos } = tag;
  const { none, xmlns, names } = namespaces;
  let hasPrefixes = false;
  tag.number += 1;
  for (let i = 0; i < count; i += 1) {
    const name = locals[i] as number;
    if (isRepeated(tag, name)) malformed('an attribute twice');
    const to = tos[i] as number;
    if (to < 0) tos[i] = resolve(bytes, froms[i] as number, -to);
    const prefix = name === xmlns ? xmlns : prefixOf(namespaces, name);
    uris[i] = prefix;
    if (prefix !== none) hasPrefixes = true;
  }
  if (!hasPrefixes) return;
  for (let i = 0; i < count; i += 1) {
    const name = locals[i] as number;
    locals[i] = localOf(namespaces, name);
    if (uris[i] !== xmlns) continue;
    const prefix = name === xmlns ? none : (locals[i] as number);
    declare(namespaces, prefix, idOf(names, bytes, froms[i] as number, tos[i] as number), depth);
  }
  for (let i = 0; i < count; i += 1) if (uris[i] !== none) uris[i] = uriOf(namespaces, uris[i] as number);
};
