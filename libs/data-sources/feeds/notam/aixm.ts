import { XMLParser } from 'fast-xml-parser';
import { mergeNotams } from '#domain/notam/parse.ts';
import type { Notam, NotamBatch, NotamReject } from '#domain/notam/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/one-line.ts';
import { serviceRecord } from './service-record.ts';
import type { ServiceNotam } from './service-record.ts';

const arrays = new Set([
  'hasMember',
  'timeSlice',
  'textNOTAM',
  'notification',
  'NOTAM',
  'translation',
  'extension',
]);

// Values stay text: a designator "09" and a number "0430" would lose their zeros.
const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  isArray: (name) => arrays.has(name),
});

interface Node {
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const nodesAt = (node: unknown, name: string): Node[] => {
  if (!isNode(node)) return [];
  const value = node[name];
  return (Array.isArray(value) ? value : [value]).filter(isNode);
};

/** Text of an element, also where it has attributes or one nested element. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!isNode(value)) return undefined;
  if (typeof value['#text'] === 'string') return value['#text'];
  const inner = Object.entries(value).find(([key]) => !key.startsWith('@'));
  return inner ? textOf(inner[1]) : undefined;
};

const formattedText = (value: unknown): string | undefined =>
  textOf(value)
    ?.replace(/<\/?pre>/gi, '')
    .trim();

const notamOf = (id: string, node: Node, extension: Node | undefined): ServiceNotam => {
  const field = (name: string): string | undefined => textOf(node[name]);
  const translations = nodesAt(node, 'translation').flatMap((each) => nodesAt(each, 'NOTAMTranslation'));
  const find = (name: string) =>
    translations.map((each) => each[name]).find((each) => textOf(each) !== undefined);
  return {
    id,
    series: field('series'),
    number: field('number'),
    year: field('year'),
    type: field('type'),
    affectedFir: field('affectedFIR'),
    selectionCode: field('selectionCode'),
    scope: field('scope'),
    coordinates: field('coordinates'),
    radius: field('radius'),
    location: field('location'),
    icaoLocation: textOf(extension?.['icaoLocation']),
    effectiveStart: field('effectiveStart'),
    effectiveEnd: field('effectiveEnd'),
    schedule: field('schedule'),
    text: field('text'),
    accountId: textOf(extension?.['accountId']),
    localText: textOf(find('simpleText')),
    icaoText: formattedText(find('formattedText')),
  };
};

/** `textNOTAM` in the current schema, `notification` in an older one. */
const notamsIn = (slice: Node): Node[] =>
  ['textNOTAM', 'notification']
    .flatMap((name) => nodesAt(slice, name))
    .flatMap((holder) => nodesAt(holder, 'NOTAM'));

/** The NOTAM texts of one AIXM message; one message can carry several. */
export const parseAixmMessage = (xml: string): (Notam | NotamReject)[] => {
  if (/<!DOCTYPE/i.test(xml)) return [{ reason: 'document types are not allowed', raw: xml.slice(0, 200) }];
  let document: unknown;
  try {
    document = parser.parse(xml);
  } catch (error) {
    return [{ reason: `not XML: ${oneLineOf(error)}`, raw: xml.slice(0, 500) }];
  }
  const message = nodesAt(document, 'AIXMBasicMessage')[0];
  const id = textOf(message?.['@id']) ?? 'message';
  const slices = nodesAt(message, 'hasMember')
    .flatMap((member) => nodesAt(member, 'Event'))
    .flatMap((event) => nodesAt(event, 'timeSlice'))
    .flatMap((slice) => nodesAt(slice, 'EventTimeSlice'));
  const found = slices.flatMap((slice) => {
    const extension = nodesAt(slice, 'extension').flatMap((each) => nodesAt(each, 'EventExtension'))[0];
    return notamsIn(slice).map((node) => serviceRecord(notamOf(id, node, extension)));
  });
  return found.length > 0
    ? found
    : [{ reason: `${id}: no NOTAM text in the message`, raw: xml.slice(0, 500) }];
};

const opening = /<(?:[\w.-]+:)?AIXMBasicMessage[\s>]/;
const closing = /<\/(?:[\w.-]+:)?AIXMBasicMessage\s*>/g;
const rootEnd = /<\/(?:[\w.-]+:)?(?:FeatureCollection|Envelope|AIXMBasicMessage)\s*>\s*$/;
const maxMessageChars = 16_000_000;

/**
 * Reads a collection of AIXM messages as it arrives, one message in memory at a time. Throws `SourceError` when
 * the file ends inside a message or before its root element ends, or contains no message at all.
 */
export const readAixmMessages = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let tail = '';
  let searched = 0;
  let isEmpty = true;
  for await (const chunk of chunks) {
    const piece = decoder.decode(chunk, { stream: true });
    rest += piece;
    tail = (tail + piece).slice(-300);
    let from = 0;
    closing.lastIndex = Math.max(0, searched - 64);
    for (let end = closing.exec(rest); end; end = closing.exec(rest)) {
      const message = rest.slice(from, closing.lastIndex);
      from = closing.lastIndex;
      const start = opening.exec(message);
      if (!start) continue;
      isEmpty = false;
      yield message.slice(start.index);
    }
    rest = rest.slice(from);
    searched = rest.length;
    if (rest.length > maxMessageChars)
      throw new SourceError('TOO_LARGE', 'One AIXM message is longer than 16 MB.');
  }
  if (opening.test(rest) || !rootEnd.test(tail))
    throw new SourceError('TRUNCATED', 'The AIXM file ends before its last element is closed.');
  if (isEmpty) throw new SourceError('CORRUPT', 'The AIXM file contains no message.');
};

/** Reads a whole AIXM file or answer, streamed. */
export const parseAixm = async (chunks: AsyncIterable<Uint8Array>): Promise<NotamBatch> => {
  const results: (Notam | NotamReject)[] = [];
  for await (const message of readAixmMessages(chunks)) results.push(...parseAixmMessage(message));
  return mergeNotams(results);
};
