import { setImmediate } from 'node:timers/promises';
import { XMLParser } from 'fast-xml-parser';
import { mergeNotams } from '#domain/notam/parse.ts';
import type { Notam, NotamBatch, NotamReject } from '#domain/notam/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/errors.ts';
import { serviceRecord } from './service-record.ts';
import type { ServiceNotam } from './service-record.ts';

// Values stay text: a designator "09" or a time "0430" would lose its zero.
const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
});

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The outermost elements with this name below a node, at any depth. */
const elementsIn = (node: unknown, name: string): Node[] =>
  !isNode(node)
    ? []
    : Object.entries(node).flatMap(([key, value]) =>
        key === name ? [value].flat().filter(isNode) : elementsIn(value, name),
      );

/** Text of an element, with or without attributes or a nested element. */
const textOf = (value: unknown): string | undefined => {
  if (!isNode(value)) return typeof value === 'string' && value !== '' ? value : undefined;
  if (typeof value['#text'] === 'string') return value['#text'];
  const inner = Object.entries(value).find(([key]) => !key.startsWith('@'));
  return inner && textOf(inner[1]);
};

const notamOf = (id: string, node: Node, extension: Node | undefined): ServiceNotam => {
  const translations = elementsIn(node, 'NOTAMTranslation');
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

/** NOTAM texts in one AIXM message, which may carry several. */
export const parseAixmMessage = (xml: string): (Notam | NotamReject)[] => {
  if (/<!DOCTYPE/i.test(xml)) return [{ reason: 'document types are not allowed', raw: xml.slice(0, 200) }];
  let message: Node | undefined;
  let slices: Node[];
  try {
    [message] = elementsIn(parser.parse(xml), 'AIXMBasicMessage');
    slices = elementsIn(message, 'EventTimeSlice');
  } catch (error) {
    return [{ reason: `not XML: ${oneLineOf(error)}`, raw: xml.slice(0, 500) }];
  }
  const id = textOf(message?.['@id']) ?? 'message';
  const found = slices.flatMap((slice) => {
    const [extension] = elementsIn(slice, 'EventExtension');
    return elementsIn(slice, 'NOTAM').map((node) => serviceRecord(notamOf(id, node, extension)));
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
