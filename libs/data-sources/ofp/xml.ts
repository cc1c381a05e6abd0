/**
 * XML of plans as a tree like that of their JSON: values stay text, an element that repeats becomes a list, attributes are
 * left out. Takes time in proportion to the text.
 */
import { SaxesParser } from 'saxes';
import { OfpDocumentError, maxDepth, maxValues, tooDeep, tooMany } from './bounds.ts';

/** Known without a document type, as are those of XML. */
const entities: Readonly<Record<string, string>> = {
  nbsp: '\u00a0',
  copy: '\u00a9',
  reg: '\u00ae',
  trade: '\u2122',
  deg: '\u00b0',
  sect: '\u00a7',
  para: '\u00b6',
  bull: '\u2022',
  hellip: '\u2026',
  mdash: '\u2014',
  ndash: '\u2013',
  laquo: '\u00ab',
  raquo: '\u00bb',
  lsquo: '\u2018',
  rsquo: '\u2019',
  ldquo: '\u201c',
  rdquo: '\u201d',
  frac12: '\u00bd',
  frac14: '\u00bc',
  frac34: '\u00be',
  cent: '\u00a2',
  pound: '\u00a3',
  yen: '\u00a5',
  euro: '\u20ac',
};

const names = ['amp', 'lt', 'gt', 'quot', 'apos', ...Object.keys(entities)].join('|');
const resolved = new RegExp(`&(?:#\\d{1,7}|#x[\\da-f]{1,6}|${names});`, 'iy');

/** Faults whose meaning is clear: bare ampersands, control characters. A plan has some, no plan has as many. */
const maxFaults = 1_000;

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** What cannot contain markup: it begins and ends with these. */
const closed: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->' };
const opening = /<!\[CDATA\[|<!--/g;

/** Without comments, and with ampersands that are not the start of an entity as entities; CDATA is left alone. */
const prepared = (text: string): string => {
  let faults = 0;
  const repaired = (from: number, to: number): string => {
    const piece = text.slice(from, to);
    let result = '';
    let copiedTo = 0;
    for (let at = piece.indexOf('&'); at >= 0; at = piece.indexOf('&', at + 1)) {
      resolved.lastIndex = at;
      if (resolved.test(piece)) continue;
      faults += 1;
      if (faults > maxFaults)
        throw new OfpDocumentError(`it is not complete XML: a bare "&" in line ${lineOf(text, from + at)}`);
      result += `${piece.slice(copiedTo, at)}&amp;`;
      copiedTo = at + 1;
    }
    return result + piece.slice(copiedTo);
  };
  const parts: string[] = [];
  let at = 0;
  opening.lastIndex = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const [begin] = found;
    const end = closed[begin] ?? '';
    const to = text.indexOf(end, found.index + begin.length);
    if (to < 0) throw new OfpDocumentError(`it is not complete XML: ${begin} without ${end}`);
    parts.push(repaired(at, found.index));
    at = to + end.length;
    if (begin !== '<!--') parts.push(text.slice(found.index, at));
    opening.lastIndex = at;
  }
  parts.push(repaired(at, text.length));
  return parts.join('');
};

type Value = string | Tree | Value[];
interface Tree {
  [name: string]: Value;
}
interface Element {
  children: Tree | null;
  text: string;
}

const textName = '#text';

const valueOf = ({ children, text }: Element): Value => {
  const trimmed = text.trim();
  if (!children) return trimmed;
  if (trimmed !== '') children[textName] = trimmed;
  return children;
};

const add = (parent: Element, name: string, value: Value): void => {
  // Without a prototype, so that every name is one like any other.
  parent.children ??= Object.create(null) as Tree;
  const before = parent.children[name];
  if (before === undefined) parent.children[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else parent.children[name] = [before, value];
};

/** Throws `OfpDocumentError`. */
export const parseXml = (text: string): unknown => {
  const parser = new SaxesParser();
  Object.assign(parser.ENTITIES, entities);
  const document: Element = { children: null, text: '' };
  const open = [document];
  let values = 0;
  let faults = 0;
  const count = (): void => {
    values += 1;
    if (values > maxValues) throw tooMany();
  };
  parser.on('error', (error) => {
    faults += 1;
    if (faults <= maxFaults && error.message.endsWith(': disallowed character.')) return;
    throw new OfpDocumentError(`it is not complete XML: ${error.message}`.slice(0, 200));
  });
  parser.on('doctype', () => {
    throw new OfpDocumentError('it contains a document type, which is not read');
  });
  parser.on('attribute', count);
  parser.on('opentag', () => {
    count();
    if (open.length > maxDepth) throw tooDeep();
    open.push({ children: null, text: '' });
  });
  const take = (piece: string): void => {
    const element = open.at(-1);
    if (element) element.text += piece;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', ({ name }) => {
    const element = open.pop();
    const parent = open.at(-1);
    if (element && parent) add(parent, name, valueOf(element));
  });
  parser.write(prepared(text)).close();
  return document.children;
};
