/**
 * Strict XML 1.0 with namespaces in one pass over its bytes, for documents that are checked and not read: a fraction of the
 * time of a parser that builds events. What is not understood is refused, so that nothing is seen here that a browser would
 * read differently: names are ASCII, and there are no declared entities.
 */
import { ContentError } from './walk.ts';
import { idOf, isNameAt, lengthOf, nameOf } from './xml-names.ts';
import type { Names } from './xml-names.ts';
import { createNamespaces, forget, localOf, prefixOf, uriOf } from './xml-namespaces.ts';
import type { Namespaces } from './xml-namespaces.ts';
import { addAttribute, createTag, finishAttributes } from './xml-tag.ts';
import type { ScannedTag } from './xml-tag.ts';
import {
  afterBlanks,
  afterName,
  checkReferences,
  indexOf,
  isTextAt,
  malformed,
  textOf,
  xmlDeclaration,
} from './xml-text.ts';

export interface ScanHandler {
  open: (tag: ScannedTag) => void;
  close: () => void;
  /** Text or CDATA within the root; `hasReferences`: to be read with `resolve`. */
  text: (bytes: Uint8Array, from: number, to: number, hasReferences: boolean) => void;
  /** What follows `<!DOCTYPE`. */
  doctype: (value: string) => void;
}

export interface Scanner {
  /**
   * Reads complete pieces from the start of `bytes`, which has two bytes 0 behind its `length`; the length of what was
   * read. References in values are replaced where they are. Throws `ContentError`.
   */
  scan: (bytes: Uint8Array, length: number) => number;
  /** True when the root has been closed. */
  isComplete: () => boolean;
}

const [end, bang, doubleQuote, ampersand, quote, slash, lt, equals, gt, question, bracket] = [
  0, 33, 34, 38, 39, 47, 60, 61, 62, 63, 93,
];
/** Bytes at which something has to be looked at in a value or in a text. */
const stops = new Uint8Array(256);
for (const byte of [end, ampersand, lt, bracket]) stops[byte] = 1;

const [comment, commentEnd, cdata, cdataEnd, doctype, instructionEnd, tagEnd] = [
  '<!--',
  '--',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE',
  '?>',
  '>',
].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];

interface State {
  names: Names;
  namespaces: Namespaces;
  handler: ScanHandler;
  tag: ScannedTag;
  /** Names of open elements. */
  open: number[];
  isBegun: boolean;
  hasRoot: boolean;
  hasDoctype: boolean;
}

const leave = ({ open, namespaces, handler }: State): void => {
  open.pop();
  forget(namespaces, open.length);
  handler.close();
};

/** The end of a start tag; -1 when it is not complete. */
const startTag = (state: State, bytes: Uint8Array, from: number): number => {
  const { names, tag, open, namespaces } = state;
  let at = afterName(bytes, from + 1);
  const name = idOf(names, bytes, from + 1, at);
  tag.bytes = bytes;
  tag.count = 0;
  for (;;) {
    const next = afterBlanks(bytes, at);
    const byte = bytes[next];
    if (byte === gt || byte === slash) {
      at = next;
      break;
    }
    if (byte === end) return -1;
    if (next === at) malformed('attributes without a blank between them');
    const nameEnd = afterName(bytes, next);
    const sign = afterBlanks(bytes, nameEnd);
    if (bytes[sign] === end) return -1;
    const opening = afterBlanks(bytes, sign + 1);
    const mark = bytes[opening];
    if (mark === end) return -1;
    if (bytes[sign] !== equals || (mark !== doubleQuote && mark !== quote))
      malformed('an attribute without a value');
    at = opening + 1;
    let hasReferences = false;
    for (; bytes[at] !== mark; at += 1) {
      if (stops[bytes[at] as number] === 0) continue;
      if (bytes[at] === end) return -1;
      if (bytes[at] === lt) malformed('a "<" in an attribute');
      if (bytes[at] === ampersand) hasReferences = true;
    }
    addAttribute(tag, idOf(names, bytes, next, nameEnd), opening + 1, at, hasReferences);
    at += 1;
  }
  const isEmpty = bytes[at] === slash;
  if (isEmpty) {
    at += 1;
    if (bytes[at] === end) return -1;
    if (bytes[at] !== gt) malformed('a "/" in a tag');
  }
  if (tag.count > 0) finishAttributes(tag, namespaces, open.length);
  enter(state, name);
  if (isEmpty) leave(state);
  return at + 1;
};

const enter = (state: State, name: number): void => {
  const { open, tag, namespaces, handler } = state;
  if (open.length === 0 && state.hasRoot) malformed('something after the end');
  state.hasRoot = true;
  tag.local = localOf(namespaces, name);
  tag.uri = uriOf(namespaces, prefixOf(namespaces, name));
  open.push(name);
  handler.open(tag);
};

const endTag = (state: State, bytes: Uint8Array, from: number): number => {
  const at = indexOf(bytes, from + 2, tagEnd);
  if (at < 0) return -1;
  const { open, names } = state;
  const name = open.at(-1) ?? malformed('an end of nothing');
  const isName = isNameAt(names, name, bytes, from + 2);
  if (!isName || afterBlanks(bytes, from + 2 + lengthOf(names, name)) !== at)
    malformed(`the end of ${nameOf(names, name).slice(0, 50)} is missing`);
  leave(state);
  return at + 1;
};

const text = ({ open, handler }: State, bytes: Uint8Array, from: number): number => {
  let at = from;
  let hasReferences = false;
  for (; bytes[at] !== lt; at += 1) {
    if (stops[bytes[at] as number] === 0) continue;
    if (bytes[at] === end) return -1;
    if (bytes[at] === ampersand) hasReferences = true;
    if (bytes[at] === bracket && bytes[at + 1] === bracket && bytes[at + 2] === gt)
      malformed('"]]>" in a text');
  }
  if (hasReferences) checkReferences(bytes, from, at);
  if (open.length > 0) handler.text(bytes, from, at, hasReferences);
  else if (afterBlanks(bytes, from) < at) malformed('text outside of the root');
  return at;
};

/** Comment, CDATA or document type. */
const declaration = (state: State, bytes: Uint8Array, from: number, length: number): number => {
  if (isTextAt(bytes, from, comment)) {
    const at = indexOf(bytes, from + comment.length, commentEnd);
    if (at < 0 || at + 2 >= length) return -1;
    return bytes[at + 2] === gt ? at + 3 : malformed('"--" in a comment');
  }
  if (isTextAt(bytes, from, cdata)) {
    const at = indexOf(bytes, from + cdata.length, cdataEnd);
    if (at < 0) return -1;
    if (state.open.length === 0) malformed('text outside of the root');
    state.handler.text(bytes, from + cdata.length, at, false);
    return at + cdataEnd.length;
  }
  // The longest of these beginnings.
  if (length < from + doctype.length) return -1;
  if (!isTextAt(bytes, from, doctype) || state.hasRoot || state.hasDoctype) malformed('a declaration');
  const at = indexOf(bytes, from, tagEnd);
  if (at < 0) return -1;
  state.hasDoctype = true;
  state.handler.doctype(textOf(bytes, from + doctype.length, at));
  return at + 1;
};

const instruction = ({ isBegun }: State, bytes: Uint8Array, from: number): number => {
  const at = indexOf(bytes, from, instructionEnd);
  if (at < 0) return -1;
  const declared = isBegun ? null : xmlDeclaration.exec(textOf(bytes, from, at));
  if (!declared) throw new ContentError('the drawing contains an instruction to load something');
  const encoding = declared[3] ?? 'utf-8';
  if (!/^utf-?8$/i.test(encoding))
    throw new ContentError(`the drawing contains text in ${encoding.slice(0, 20)}`);
  return at + instructionEnd.length;
};

/** The end of the piece at this place; -1 when it is not complete. */
const piece = (state: State, bytes: Uint8Array, from: number, length: number): number => {
  if (bytes[from] !== lt) return text(state, bytes, from);
  const byte = bytes[from + 1];
  if (byte === end) return -1;
  if (byte === slash) return endTag(state, bytes, from);
  if (byte === bang) return declaration(state, bytes, from, length);
  return byte === question ? instruction(state, bytes, from) : startTag(state, bytes, from);
};

export const createScanner = (names: Names, handler: ScanHandler): Scanner => {
  const namespaces = createNamespaces(names);
  const state: State = {
    names,
    namespaces,
    handler,
    tag: createTag(),
    open: [],
    isBegun: false,
    hasRoot: false,
    hasDoctype: false,
  };
  return {
    scan: (bytes, length) => {
      let at = 0;
      while (at < length) {
        const next = piece(state, bytes, at, length);
        if (next < 0) break;
        state.isBegun = true;
        at = next;
      }
      return at;
    },
    isComplete: () => state.hasRoot && state.open.length === 0,
  };
};
