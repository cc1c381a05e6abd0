import { setImmediate } from 'node:timers/promises';
import { XMLParser } from 'fast-xml-parser';
import { mergeNotams } from '#domain/notam/parse.ts';
import type { Notam, NotamBatch, NotamReject } from '#domain/notam/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/errors.ts';
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

// Values stay text: a designator "09" or a time "0430" would lose its zero.
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

/** Text of an element, with or without attributes or a nested element. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!isNode(value)) return undefined;
  if (typeof value['#text'] === 'string') return value['#text'];
  const inner = Object.entries(value).find(([key]) => !key.startsWith('@'));
  return inner ? textOf(inner[1]) : undefined;
};

const notamOf = (id: string, node: Node, extension: Node | undefined): ServiceNotam => {
  const translations = nodesAt(node, 'translation').flatMap((each) => nodesAt(each, 'NOTAMTranslation'));
  const translated = (name: string) =>
    translations.map((each) => textOf(each[name])).find((text) => text !== undefined);
  return {
    id,
    fields: (name) => textOf(node[name]) ?? textOf(extension?.[name]),
    localText: translated('simpleText'),
    icaoText: translated('formattedText')
      ?.replace(/<\/?pre>/gi, '')
      .trim(),
  };
};

/** `textNOTAM` in the current schema, `notification` in the older one. */
const notamsIn = (slice: Node): Node[] =>
  ['textNOTAM', 'notification']
    .flatMap((name) => nodesAt(slice, name))
    .flatMap((holder) => nodesAt(holder, 'NOTAM'));

/** NOTAM texts in one AIXM message, which may carry several. */
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
const closing = /<\/(?:[\w.-]+:)?AIXMBasicMessage\s*>/;
const rootEnd = /<\/(?:[\w.-]+:)?(?:FeatureCollection|Envelope|AIXMBasicMessage)\s*>\s*$/;
const messagesAtOnce = 100;

/**
 * Reads a collection of AIXM messages, each parsed separately. Throws `SourceError` when the file is truncated inside a
 * message or before its root element ends, or when it has no messages.
 */
export const parseAixm = async (xml: string): Promise<NotamBatch> => {
  const messages = xml.split(closing);
  const rest = messages.pop() ?? '';
  if (opening.test(rest) || !rootEnd.test(xml.slice(-300)))
    throw new SourceError('TRUNCATED', 'The AIXM file ends before its last element is closed.');
  const results: (Notam | NotamReject)[] = [];
  for (const [done, message] of messages.entries()) {
    // A full load takes half a minute, so other work runs in between.
    if (done % messagesAtOnce === 0) await setImmediate();
    const start = opening.exec(message);
    if (start) results.push(...parseAixmMessage(`${message.slice(start.index)}</AIXMBasicMessage>`));
  }
  if (results.length === 0) throw new SourceError('CORRUPT', 'The AIXM file contains no message.');
  return mergeNotams(results);
};
