/** SVG: scanned as strict XML while it is received; a drawing that could do anything but be drawn is refused (ADR 88). */
import {
  drawnElements,
  inertNamespaces,
  isSafeReference,
  knownDoctype,
  svgNamespace,
  xlinkNamespace,
} from './svg-rules.ts';
import { isLocalReference, isSafeStyleIn, isSafeValueIn } from './svg-values.ts';
import { ContentError } from './walk.ts';
import type { Inspector } from './walk.ts';
import { beginsWith, createNames, grownBytes, idOf, idOfText, lengthOf, nameOf } from './xml-names.ts';
import type { Names } from './xml-names.ts';
import { createScanner } from './xml-scanner.ts';
import type { ScannedTag } from './xml-tag.ts';
import { resolve, textOf, xmlNamespace, xmlnsNamespace } from './xml-text.ts';
import { createWindow } from './xml-window.ts';

const maxDepth = 256;
/** Of one text, attribute or comment, which is kept until it is complete. */
const maxPieceBytes = 1_000_000;
const minScannedBytes = 262_144;
/** Copies that a viewer draws of all `use` elements together. */
const maxCopies = 100_000;
const maxEdges = 50_000;
/** Of a whole drawing. */
const maxElements = 100_000;
const maxAttributes = 500_000;
const maxBytes = 16_777_216;

const refuse = (reason: string): never => {
  throw new ContentError(`the drawing contains ${reason}`);
};

const [on, href, src, style] = ['on', 'href', 'src', 'style'].map((name) => Buffer.from(name)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];

/** The numbers of what the rules name: drawn elements come first, then inert namespaces. */
const createWords = (names: Names) => {
  for (const name of drawnElements) idOfText(names, name);
  for (const uri of inertNamespaces) idOfText(names, uri);
  return {
    none: idOfText(names, ''),
    svg: idOfText(names, 'svg'),
    use: idOfText(names, 'use'),
    style: idOfText(names, 'style'),
    href: idOfText(names, 'href'),
    id: idOfText(names, 'id'),
    base: idOfText(names, 'base'),
    svgUri: idOfText(names, svgNamespace),
    xlinkUri: idOfText(names, xlinkNamespace),
    xmlUri: idOfText(names, xmlNamespace),
    xmlnsUri: idOfText(names, xmlnsNamespace),
  };
};
type Words = ReturnType<typeof createWords>;

const drawnEnd = drawnElements.size;
const inertEnd = drawnEnd + inertNamespaces.size;
const isInert = (uri: number): boolean => uri >= drawnEnd && uri < inertEnd;

/** In any case. */
const isWord = (names: Names, local: number, word: Uint8Array): boolean =>
  lengthOf(names, local) === word.length && beginsWith(names, local, word);

const checkAttribute = (names: Names, words: Words, tag: ScannedTag, i: number): void => {
  const name = tag.locals[i] as number;
  const uri = tag.uris[i] as number;
  const from = tag.froms[i] as number;
  const to = tag.tos[i] as number;
  if (uri === words.xmlnsUri || isInert(uri)) return;
  if (beginsWith(names, name, on)) refuse('a script');
  if (uri === words.xmlUri ? name === words.base : uri !== words.none && uri !== words.xlinkUri)
    refuse(`the attribute ${nameOf(names, name).slice(0, 50)}`);
  if (isWord(names, name, href) || isWord(names, name, src)) {
    const isSafe =
      isLocalReference(tag.bytes, from, to) ||
      isSafeReference(textOf(tag.bytes, from, to).trim(), nameOf(names, tag.local));
    if (!isSafe) refuse('a reference to something outside');
  } else if (!isSafeValueIn(tag.bytes, from, to)) refuse('a reference to something outside');
  else if (isWord(names, name, style) && !isSafeStyleIn(tag.bytes, from, to))
    refuse('a style that loads something');
};

/** Counts what a viewer draws: `use` of something that itself has `use` multiplies. */
interface Copies {
  /** By what contains them. */
  edges: Map<number, { to: number; copies: 0 | 1 }[]>;
  /** The identifiers of open elements, or of what is around those without one. */
  open: number[];
  count: number;
}

const addEdge = (state: Copies, to: number, copies: 0 | 1): void => {
  const { edges, open } = state;
  state.count += 1;
  if (state.count > maxEdges) refuse('too many parts');
  const from = open[open.length - 1] as number;
  const known = edges.get(from);
  if (known) known.push({ to, copies });
  else edges.set(from, [{ to, copies }]);
};

/** What a reference is to, without its `#`. */
const targetOf = (names: Names, bytes: Uint8Array, from: number, to: number): number =>
  isLocalReference(bytes, from, to)
    ? idOf(names, bytes, from + 1, to)
    : idOfText(names, textOf(bytes, from, to).trim().slice(1));

const enter = (copies: Copies, names: Names, words: Words, tag: ScannedTag): void => {
  const { open } = copies;
  const { bytes, count, locals, uris, froms, tos } = tag;
  let id = open[open.length - 1] as number;
  for (let i = 0; i < count; i += 1) {
    if (locals[i] !== words.id || uris[i] !== words.none) continue;
    id = idOf(names, bytes, froms[i] as number, tos[i] as number);
    break;
  }
  open.push(id);
  for (let i = 0; tag.local === words.use && i < count; i += 1)
    if (locals[i] === words.href)
      addEdge(copies, targetOf(names, bytes, froms[i] as number, tos[i] as number), 1);
};

const leave = (copies: Copies): void => {
  const { open, edges } = copies;
  const id = open.pop() as number;
  // What has no copies in it adds none where it is.
  if (id !== open[open.length - 1] && edges.has(id)) addEdge(copies, id, 0);
};

const checkCopies = ({ edges }: Copies, none: number): void => {
  const known = new Map<number, number>();
  const path = new Set<number>();
  const copiesOf = (id: number): number => {
    const found = known.get(id);
    if (found !== undefined) return found;
    if (path.has(id) || path.size > maxDepth) return refuse('copies of itself');
    path.add(id);
    let sum = 0;
    for (const { to, copies } of edges.get(id) ?? []) sum += copies + (edges.has(to) ? copiesOf(to) : 0);
    path.delete(id);
    known.set(id, sum);
    return sum > maxCopies ? refuse('too many copies') : sum;
  };
  copiesOf(none);
};

/** Text in a `style`, which a browser joins around comments. */
const createStyle = () => {
  let bytes: Uint8Array = new Uint8Array(256);
  let length = 0;
  return {
    add: (more: Uint8Array, from: number, to: number): void => {
      if (length + to - from > bytes.length) bytes = grownBytes(bytes, length + to - from);
      for (let at = from; at < to; at += 1, length += 1) bytes[length] = more[at] as number;
    },
    /** Judges what has been added since the last time. */
    isSafe: (): boolean => {
      const end = length;
      length = 0;
      return isSafeStyleIn(bytes, 0, end);
    },
  };
};

export const svgInspector = (): Inspector => {
  const names = createNames();
  const words = createWords(names);
  const copies: Copies = { edges: new Map(), open: [words.none], count: 0 };
  const css = createStyle();
  let [depth, elements, attributes, received, styleDepth] = [0, 0, 0, 0, 0];

  const open = (tag: ScannedTag): void => {
    depth += 1;
    elements += 1;
    attributes += tag.count;
    if (depth > maxDepth) refuse('too many levels');
    if (elements > maxElements) refuse(`more than ${maxElements} elements`);
    if (attributes > maxAttributes) refuse(`more than ${maxAttributes} attributes`);
    if (depth === 1 && (tag.uri !== words.svgUri || tag.local !== words.svg))
      throw new ContentError('this is not an SVG');
    if (styleDepth > 0) refuse('an element in a style');
    if (tag.local === words.style) styleDepth = depth;
    if (tag.uri === words.svgUri) {
      if (tag.local >= drawnEnd) refuse(`the element ${nameOf(names, tag.local).slice(0, 50)}`);
      for (let i = 0; i < tag.count; i += 1) checkAttribute(names, words, tag, i);
    } else if (!isInert(tag.uri)) refuse('elements that are not drawn');
    enter(copies, names, words, tag);
  };
  const close = (): void => {
    if (depth === styleDepth) {
      if (!css.isSafe()) refuse('a style that loads something');
      styleDepth = 0;
    }
    depth -= 1;
    leave(copies);
  };
  const scanner = createScanner(names, {
    open,
    close,
    text: (bytes, from, to, hasReferences) => {
      if (styleDepth > 0) css.add(bytes, from, hasReferences ? resolve(bytes, from, to) : to);
    },
    doctype: (value) => {
      if (!knownDoctype.test(value)) refuse('declarations');
    },
  });
  const window = createWindow({
    scan: scanner.scan,
    minScannedBytes,
    maxPieceBytes,
    tooLong: () => refuse('a text of more than a megabyte'),
  });
  return {
    push: (chunk) => {
      received += chunk.length;
      if (received > maxBytes) refuse('more than 16 MB');
      window.push(chunk);
    },
    end: () => {
      if (window.end().trim() !== '' || !scanner.isComplete())
        throw new ContentError('the SVG is not well-formed: the file is incomplete');
      checkCopies(copies, words.none);
    },
  };
};
