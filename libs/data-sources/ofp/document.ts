/** Plan documents from planners, exports and editors: JSON or XML, with BOM, CDATA and attributes. */
import { XMLParser } from 'fast-xml-parser';
import { oneLineOf } from '#platform/errors.ts';
import { jsonExtent } from '../weather/source-json.ts';

/** The document is neither JSON nor XML, or is too large for a plan. */
export class OfpDocumentError extends Error {
  override name = 'OfpDocumentError';
}

const maxDepth = 64;
/** A long flight has some 30,000 values. */
const maxValues = 200_000;

const tooMany = (): OfpDocumentError => new OfpDocumentError(`it has more than ${maxValues} values`);

const parser = new XMLParser({
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  htmlEntities: true,
  maxNestedTags: maxDepth,
  // The parser refuses documents with this name, which no plan needs.
  transformTagName: (name) => (name === '__proto__' ? '_proto_' : name),
});

/** Comments and processing instructions may precede the DOCTYPE. */
const doctype = /^[^<]*(?:<[!?](?!doctype)[^>]*>[^<]*)*<!doctype/i;

const treeOf = (text: string): unknown => {
  try {
    return parser.parse(text);
  } catch (error) {
    throw new OfpDocumentError(`it is not complete XML: ${oneLineOf(error)}`.slice(0, 200));
  }
};

/** Converts XML to a JSON-like tree: values stay text, repeated elements become a list, attributes are omitted. */
const parseXml = (text: string): unknown => {
  if (doctype.test(text))
    throw new OfpDocumentError('it contains a document type declaration, which is not supported');
  if ((text.match(/<[^/!?]/g)?.length ?? 0) > maxValues) throw tooMany();
  const tree = treeOf(text);
  const [root, content] = Object.entries(tree as object)[0] ?? [];
  // The parser would silently close the open elements of a truncated text.
  if (content !== '' && !text.includes(`</${root}`))
    throw new OfpDocumentError(`it is not complete XML: ${root} is not closed`);
  return tree;
};

const controlEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A plan has at most some thousand elements. */
const maxRepairs = 100_000;

/** Repairs JSON with line breaks inside strings and with trailing commas. */
const repairedJson = (text: string): string => {
  let isInString = false;
  let copiedTo = 0;
  const parts: string[] = [];
  const replace = (at: number, by: string) => {
    parts.push(text.slice(copiedTo, at), by);
    copiedTo = at + 1;
  };
  for (let i = 0; i < text.length; i += 1) {
    if (parts.length > 2 * maxRepairs) return text;
    const char = text[i] as string;
    if (isInString) {
      if (char === '\\') i += 1;
      else if (char === '"') isInString = false;
      else if (char < ' ') replace(i, controlEscape(char));
    } else if (char === '"') isInString = true;
    else if (char === ',' && /^\s{0,50}[}\]]/.test(text.slice(i + 1, i + 60))) replace(i, '');
  }
  parts.push(text.slice(copiedTo));
  return parts.join('');
};

const labelOf = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString('latin1');
  return /^[^<]{0,3}<\?xml[^>]{0,80}\bencoding=["']([\w-]{1,30})["']/.exec(start)?.[1] ?? 'utf-8';
};

/** Decodes a document by its byte order mark, its XML encoding declaration, or as UTF-8. */
export const textOfDocument = (bytes: Uint8Array): string => {
  const label = labelOf(bytes);
  try {
    return new TextDecoder(label).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OfpDocumentError(`its encoding ${label} is not known`);
  }
};

/** Parses a text; on failure, repairs known faults and parses again. */
const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const repaired = repairedJson(text);
    if (repaired === text) throw error;
    return JSON.parse(repaired);
  }
};

const parseJson = (text: string): unknown => {
  // Checked before the parser allocates memory.
  const { depth, values } = jsonExtent(text);
  if (depth > maxDepth) throw new OfpDocumentError(`it is nested deeper than ${maxDepth} levels`);
  if (values > maxValues) throw tooMany();
  try {
    return valueOf(text);
  } catch {
    throw new OfpDocumentError('it is not complete JSON');
  }
};

/** JSON may be nested as a string in JSON. */
const jsonOf = (text: string): unknown => {
  const value = parseJson(text);
  return typeof value === 'string' ? parseJson(value) : value;
};

/** Throws `OfpDocumentError`. */
export const readDocument = (text: string): { format: 'json' | 'xml'; document: object } => {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  if (content === '') throw new OfpDocumentError('it is empty');
  if (/^<(?:!doctype html|html)\b/i.test(content)) throw new OfpDocumentError('it is a web page');
  const isXml = content.startsWith('<');
  const document = isXml ? parseXml(content) : jsonOf(content);
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new OfpDocumentError('it is not an object');
  return { format: isXml ? 'xml' : 'json', document };
};
