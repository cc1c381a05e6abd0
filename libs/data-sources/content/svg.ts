/** SVG: scanned as strict XML while it is received; a drawing that could do anything but be drawn is refused (ADR 125). */
import {
  drawnElements,
  inertNamespaces,
  isSafeReference,
  isSafeStyle,
  knownDoctype,
  svgNamespace,
  xlinkNamespace,
} from './svg-rules.ts';
import { ContentError } from './walk.ts';
import type { Inspector } from './walk.ts';
import { createScanner } from './xml-scanner.ts';
import type { ScannedTag } from './xml-scanner.ts';
import { resolved, xmlNamespace, xmlnsNamespace } from './xml-text.ts';

const maxDepth = 256;
/** Of one text, attribute or comment, which is kept until it is complete. */
const maxPieceLength = 1_000_000;
/** Scanned together, so that an incomplete piece is looked at a few times only, however it arrives. */
const minScannedLength = 262_144;
/** Copies that a viewer draws of all `use` elements together. */
const maxCopies = 100_000;
const maxEdges = 50_000;
/** Of a whole drawing. */
const maxElements = 100_000;
const maxAttributes = 500_000;
const maxLength = 16_777_216;

const refuse = (reason: string): never => {
  throw new ContentError(`the drawing contains ${reason}`);
};

const mayRefer = (value: string): boolean =>
  (value.includes('(') && /url\s*\(/i.test(value)) || value.includes('\\');

const checkAttributes = ({ local, attributes }: ScannedTag): void => {
  for (const { local: name, uri, value } of attributes) {
    if (uri === xmlnsNamespace || inertNamespaces.has(uri)) continue;
    const lower = name.toLowerCase();
    if (lower.startsWith('on')) refuse('a script');
    if (uri === xmlNamespace ? name === 'base' : uri !== '' && uri !== xlinkNamespace)
      refuse(`the attribute ${name.slice(0, 50)}`);
    const isReference = lower === 'href' || lower === 'src';
    if (isReference && !isSafeReference(value.trim(), local)) refuse('a reference to something outside');
    if (!isReference && mayRefer(value) && !isSafeStyle(value)) refuse('a reference to something outside');
    if (lower === 'style' && !isSafeStyle(value)) refuse('a style that loads something');
  }
};

/** Counts what a viewer draws: `use` of something that itself has `use` multiplies. */
const createCopies = () => {
  interface Edge {
    to: string;
    copies: 0 | 1;
  }
  const edges = new Map<string, Edge[]>();
  const open: string[] = [''];
  let count = 0;
  const add = (edge: Edge): void => {
    count += 1;
    if (count > maxEdges) refuse('too many parts');
    const from = open.at(-1) ?? '';
    const known = edges.get(from);
    if (known) known.push(edge);
    else edges.set(from, [edge]);
  };
  return {
    enter: ({ local, attributes }: ScannedTag): void => {
      const id = attributes.find((attribute) => attribute.local === 'id' && attribute.uri === '')?.value;
      open.push(id ?? open.at(-1) ?? '');
      if (local !== 'use') return;
      for (const { local: name, value } of attributes)
        if (name === 'href') add({ to: value.trim().slice(1), copies: 1 });
    },
    leave: (): void => {
      const id = open.pop() ?? '';
      // What has no copies in it adds none where it is.
      if (id !== open.at(-1) && edges.has(id)) add({ to: id, copies: 0 });
    },
    check: (): void => {
      const known = new Map<string, number>();
      const path = new Set<string>();
      const copiesOf = (id: string): number => {
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
      copiesOf('');
    },
  };
};

export const svgInspector = (): Inspector => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const copies = createCopies();
  let depth = 0;
  let elements = 0;
  let attributes = 0;
  let length = 0;
  let styleDepth = 0;
  let style = '';

  const open = (tag: ScannedTag): void => {
    depth += 1;
    elements += 1;
    attributes += tag.attributes.length;
    if (depth > maxDepth) refuse('too many levels');
    if (elements > maxElements) refuse(`more than ${maxElements} elements`);
    if (attributes > maxAttributes) refuse(`more than ${maxAttributes} attributes`);
    if (depth === 1 && (tag.uri !== svgNamespace || tag.local !== 'svg'))
      throw new ContentError('this is not an SVG');
    if (styleDepth > 0) refuse('an element in a style');
    if (tag.local === 'style') styleDepth = depth;
    if (tag.uri === svgNamespace) {
      if (!drawnElements.has(tag.local)) refuse(`the element ${tag.local.slice(0, 50)}`);
      checkAttributes(tag);
    } else if (!inertNamespaces.has(tag.uri)) refuse('elements that are not drawn');
    copies.enter(tag);
  };
  const close = (): void => {
    // A browser joins the texts around comments, so they are one here, too.
    if (depth === styleDepth) {
      if (!isSafeStyle(style)) refuse('a style that loads something');
      styleDepth = 0;
      style = '';
    }
    depth -= 1;
    copies.leave();
  };
  const scanner = createScanner({
    open,
    close,
    text: (value, hasReferences) => {
      if (styleDepth > 0) style += hasReferences ? resolved(value) : value;
    },
    doctype: (value) => {
      if (!knownDoctype.test(value)) refuse('declarations');
    },
  });

  let waiting = '';
  /** What is not complete waits for more. */
  const scan = (): void => {
    waiting = waiting.slice(scanner.scan(waiting));
    if (waiting.length > maxPieceLength) refuse('a text of more than a megabyte');
  };
  let scannedLength = 0;
  const write = (chunk?: Buffer): void => {
    try {
      const decoded = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
      waiting += decoded;
      length += decoded.length;
    } catch {
      throw new ContentError('the SVG is not UTF-8 text');
    }
    if (length > maxLength) refuse('more than 16 MB');
    if (chunk && length - scannedLength < minScannedLength) return;
    scannedLength = length;
    scan();
  };
  return {
    push: write,
    end: () => {
      write();
      if (waiting.trim() !== '' || !scanner.isComplete())
        throw new ContentError('the SVG is not well-formed: the file is incomplete');
      copies.check();
    },
  };
};
