/**
 * XML of plans as a tree like that of their JSON: values stay text, an element that repeats becomes a list, attributes are
 * left out.
 */
import { XMLParser } from 'fast-xml-parser';
import { oneLineOf } from '#platform/one-line.ts';
import { OfpDocumentError, maxDepth, maxValues, tooMany } from './bounds.ts';

const parser = new XMLParser({
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  htmlEntities: true,
  maxNestedTags: maxDepth,
  // The parser refuses a document with this name, which no plan needs.
  transformTagName: (name) => (name === '__proto__' ? '_proto_' : name),
});

/** Comments and processing instructions may come before it. */
const doctype = /^[^<]*(?:<[!?](?!doctype)[^>]*>[^<]*)*<!doctype/i;

const treeOf = (text: string): unknown => {
  try {
    return parser.parse(text);
  } catch (error) {
    throw new OfpDocumentError(`it is not complete XML: ${oneLineOf(error)}`.slice(0, 200));
  }
};

/** Throws `OfpDocumentError`. */
export const parseXml = (text: string): unknown => {
  if (doctype.test(text)) throw new OfpDocumentError('it contains a document type, which is not read');
  if ((text.match(/<[^/!?]/g)?.length ?? 0) > maxValues) throw tooMany();
  const tree = treeOf(text);
  const [root, content] = Object.entries(tree as object)[0] ?? [];
  // The parser closes what a text that was cut off leaves open.
  if (content !== '' && !text.includes(`</${root}`))
    throw new OfpDocumentError(`it is not complete XML: ${root} is not closed`);
  return tree;
};
