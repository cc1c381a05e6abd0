/** What the headers of a part of a form say (RFC 7578, as libraries write them), each byte of a header as one character. */
import { commonError } from '../errors.ts';
import { utf8Text } from './utf8.ts';

/** Throws INVALID_INPUT for bytes that are not text of this encoding, or one that is not known. */
export const decodedText = (bytes: Buffer, charset: string, what: string): string => {
  if (/^utf-?8$/i.test(charset)) return utf8Text(bytes, what, 'INVALID_INPUT');
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw commonError('INVALID_INPUT', { message: `${what} is not text in ${charset}. Send UTF-8.` });
  }
};

const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Encoded words (RFC 2047), which .NET and mail libraries write instead of `filename*`. */
const wordsDecoded = (text: string, what: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi, (_, charset: string, kind: string, word: string) => {
      const isBase64 = kind.toLowerCase() === 'b';
      const bytes = isBase64
        ? Buffer.from(word, 'base64')
        : percentDecoded(word.replaceAll('_', ' ').replaceAll('=', '%'));
      return decodedText(bytes, charset, what);
    });

const parameterOf = (header: string, name: string): string | null => {
  const found = new RegExp(`;\\s*${name}=(?:"((?:\\\\.|[^"\\\\])*)"|([^;]*))`, 'i').exec(header);
  return found ? (found[1]?.replaceAll(/\\(["\\])/g, '$1') ?? found[2]?.trim() ?? '') : null;
};

const fileNameOf = (header: string): string | null => {
  const what = 'The name of the file';
  const extended = /^([\w-]+)'[^']*'(.*)$/.exec(parameterOf(header, 'filename\\*') ?? '');
  if (extended) return decodedText(percentDecoded(extended[2] ?? ''), extended[1] ?? '', what);
  const plain = parameterOf(header, 'filename');
  if (plain === null) return null;
  const name = wordsDecoded(decodedText(Buffer.from(plain, 'latin1'), 'utf-8', what), what);
  // Browsers write a quotation mark as %22; some programs send a whole path.
  return name.slice(name.lastIndexOf('\\') + 1).replaceAll('%22', '"');
};

export interface PartHead {
  name: string;
  /** Null: the part is a field, whatever its type. */
  fileName: string | null;
  charset: string;
}

/** Throws INVALID_INPUT for names that are not text. */
export const partHeadOf = (headers: Readonly<Record<string, string>>): PartHead => {
  const disposition = headers['content-disposition'] ?? '';
  const name = parameterOf(disposition, 'name') ?? '';
  return {
    name: decodedText(Buffer.from(name, 'latin1'), 'utf-8', 'The name of a field'),
    fileName: fileNameOf(disposition),
    charset: parameterOf(headers['content-type'] ?? '', 'charset') ?? 'utf-8',
  };
};
