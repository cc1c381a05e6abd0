/** SVG: parsed as strict XML while it is received; a drawing that could do anything but be drawn is refused (ADR). */
import { SaxesParser } from 'saxes';
import type { SaxesTagNS } from 'saxes';
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

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';
const maxDepth = 256;
/** Of one text or attribute, which the parser keeps in memory. */
const maxPieceLength = 1_000_000;
/** Copies that a viewer draws of all `use` elements together. */
const maxCopies = 100_000;
const maxEdges = 50_000;
/** Of a whole drawing: parsing takes up to 0.2 s per megabyte. */
const maxElements = 100_000;
const maxAttributes = 500_000;
const maxLength = 16_777_216;

const refuse = (reason: string): never => {
  throw new ContentError(`the drawing contains ${reason}`);
};

const checkAttributes = ({ local, attributes }: SaxesTagNS): void => {
  for (const { local: name, uri, value } of Object.values(attributes)) {
    if (uri === xmlnsNamespace || inertNamespaces.has(uri)) continue;
    if (/^on/i.test(name)) refuse('a script');
    if (uri === xmlNamespace ? name === 'base' : uri !== '' && uri !== xlinkNamespace)
      refuse(`the attribute ${name.slice(0, 50)}`);
    const isReference = name.toLowerCase() === 'href' || name.toLowerCase() === 'src';
    if (isReference && !isSafeReference(value.trim(), local)) refuse('a reference to something outside');
    if (!isReference && /url\s*\(|\\/i.test(value) && !isSafeStyle(value))
      refuse('a reference to something outside');
    if (name.toLowerCase() === 'style' && !isSafeStyle(value)) refuse('a style that loads something');
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
    enter: ({ local, attributes }: SaxesTagNS): void => {
      const id = attributes['id']?.value;
      if (id !== undefined) add({ to: id, copies: 0 });
      open.push(id ?? open.at(-1) ?? '');
      if (local !== 'use') return;
      const target = (attributes['href'] ?? attributes['xlink:href'])?.value.trim().slice(1);
      if (target !== undefined) add({ to: target, copies: 1 });
    },
    leave: (): void => void open.pop(),
    check: (): void => {
      const known = new Map<string, number>();
      const path = new Set<string>();
      const copiesOf = (id: string): number => {
        const found = known.get(id);
        if (found !== undefined) return found;
        if (path.has(id) || path.size > maxDepth) return refuse('copies of itself');
        path.add(id);
        let sum = 0;
        for (const { to, copies } of edges.get(id) ?? []) sum += copies + copiesOf(to);
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
  const parser = new SaxesParser({ xmlns: true });
  const copies = createCopies();
  let depth = 0;
  let elements = 0;
  let attributes = 0;
  let length = 0;
  let pieceLength = 0;
  let isPieceEnded = false;
  let styles = 0;

  const entered = (tag: SaxesTagNS): void => {
    isPieceEnded = true;
    depth += 1;
    elements += 1;
    if (depth > maxDepth) refuse('too many levels');
    attributes += Object.keys(tag.attributes).length;
    if (elements > maxElements) refuse(`more than ${maxElements} elements`);
    if (attributes > maxAttributes) refuse(`more than ${maxAttributes} attributes`);
    if (depth === 1 && (tag.uri !== svgNamespace || tag.local !== 'svg'))
      throw new ContentError('this is not an SVG');
    if (tag.uri === svgNamespace && !drawnElements.has(tag.local))
      refuse(`the element ${tag.local.slice(0, 50)}`);
    if (tag.uri !== svgNamespace && !inertNamespaces.has(tag.uri)) refuse('elements that are not drawn');
    if (tag.local === 'style') styles += 1;
    if (tag.uri === svgNamespace) checkAttributes(tag);
    copies.enter(tag);
  };
  parser.on('opentag', entered);
  parser.on('closetag', ({ local }) => {
    isPieceEnded = true;
    depth -= 1;
    if (local === 'style') styles -= 1;
    copies.leave();
  });
  const text = (value: string): void => {
    isPieceEnded = true;
    if (styles > 0 && !isSafeStyle(value)) refuse('a style that loads something');
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('comment', () => {
    isPieceEnded = true;
  });
  parser.on('processinginstruction', () => refuse('an instruction to load something'));
  parser.on('doctype', (doctype) => {
    if (!knownDoctype.test(doctype)) refuse('declarations');
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) refuse(`text in ${encoding.slice(0, 20)}`);
  });
  parser.on('error', (error) => {
    throw new ContentError(`the SVG is not well-formed: ${error.message.slice(0, 200)}`);
  });

  const write = (chunk?: Buffer): void => {
    let decoded: string;
    try {
      decoded = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new ContentError('the SVG is not UTF-8 text');
    }
    length += decoded.length;
    if (length > maxLength) refuse('more than 16 MB');
    isPieceEnded = false;
    parser.write(decoded);
    pieceLength = isPieceEnded ? decoded.length : pieceLength + decoded.length;
    if (pieceLength > maxPieceLength) refuse('a text of more than a megabyte');
  };
  return {
    push: write,
    end: () => {
      write();
      parser.close();
      if (depth !== 0) throw new ContentError('the file is incomplete');
      copies.check();
    },
  };
};
