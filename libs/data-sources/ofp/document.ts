/** The document of a plan as planners, exports and editors write it: JSON or XML, with BOM, CDATA and attributes. */
import { OfpDocumentError, maxDepth, maxValues, tooDeep, tooMany } from './bounds.ts';
import { parseXml } from './xml.ts';

const controlEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A plan has at most some thousand. */
const maxRepairs = 100_000;

/** JSON with line breaks inside texts, and with a comma after the last entry. */
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

interface OfpDocument {
  format: 'json' | 'xml';
  document: unknown;
}

const labelOf = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString('latin1');
  return /^[^<]{0,3}<\?xml[^>]{0,80}\bencoding=["']([\w-]{1,30})["']/.exec(start)?.[1] ?? 'utf-8';
};

/** Text of a document, by its byte order mark, the encoding that its XML declares, or UTF-8. */
export const textOfDocument = (bytes: Uint8Array): string => {
  const label = labelOf(bytes);
  try {
    return new TextDecoder(label).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OfpDocumentError(`its encoding ${label} is not known`);
  }
};

/** Throws for JSON that is too deep or has too many values, before the parser gives it memory. */
const assertBoundedJson = (text: string): void => {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (isInString) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw tooDeep();
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === 0x2c) values += 1;
    if (values > maxValues) throw tooMany();
  }
};

/** The value of a text; of one that is refused, the value of the text with its known faults repaired. */
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
  assertBoundedJson(text);
  try {
    return valueOf(text);
  } catch {
    throw new OfpDocumentError('it is not complete JSON');
  }
};

/** A text that is JSON may itself be in a JSON text. */
const jsonOf = (text: string): unknown => {
  const value = parseJson(text);
  return typeof value === 'string' ? parseJson(value) : value;
};

/** Throws `OfpDocumentError`. */
export const readDocument = (text: string): OfpDocument => {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  if (content === '') throw new OfpDocumentError('it is empty');
  if (/^<(?:!doctype html|html)\b/i.test(content)) throw new OfpDocumentError('it is a web page');
  const isXml = content.startsWith('<');
  const document = isXml ? parseXml(content) : jsonOf(content);
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new OfpDocumentError('it is not an object');
  return { format: isXml ? 'xml' : 'json', document };
};
