/** Parsers for posted forms that keep the raw bytes, because gateways sign bytes. */

import { InvalidSignatureError } from '#domain/subscriptions/gateway.ts';

/** Encoded names and values in body order. */
const pairsOf = (body: Buffer): [name: string, value: string][] =>
  body
    .toString('latin1')
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return [name, pair.slice(name.length + 1)];
    });

/** Decoded bytes in any charset. */
const bytesOf = (encoded: string): Buffer =>
  Buffer.from(
    encoded
      .replaceAll('+', ' ')
      .replace(/%([\da-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const trimmedOrNull = (text: string | undefined): string | null => text?.trim() || null;

/** Values as bytes by name without `[]`, in order of first appearance, as in PHP. */
export type CardForm = ReadonlyMap<string, readonly Buffer[]>;

/**
 * Parses a form from the card gateway. Throws `InvalidSignatureError` for a repeated name without `[]`, where PHP would
 * keep the last value, and for escapes in mixed case, which no encoder produces.
 */
export const parseCardForm = (body: Buffer): CardForm => {
  const text = body.toString('latin1');
  if (/%[\da-fA-F]?[a-f]/.test(text) && /%[\da-fA-F]?[A-F]/.test(text))
    throw new InvalidSignatureError('escapes are written in different cases');
  const form = new Map<string, Buffer[]>();
  for (const [encoded, value] of pairsOf(body)) {
    const name = bytesOf(encoded).toString('utf8');
    if (!/^[A-Z][A-Z0-9_]*(?:\[\d*\])?$/.test(name))
      throw new InvalidSignatureError('a name is not one of the provider');
    const base = name.replace(/\[\d*\]$/, '');
    const known = form.get(base);
    if (known && base === name) throw new InvalidSignatureError(`${name} appears twice`);
    if (known) known.push(bytesOf(value));
    else form.set(base, [bytesOf(value)]);
  }
  return form;
};

/** Value of a field at this position; null when absent or empty. */
export const valueAt = (form: CardForm, name: string, index = 0): string | null =>
  trimmedOrNull(form.get(name)?.[index]?.toString('utf8'));

/** For a repeated name the first value counts. */
export type WalletForm = ReadonlyMap<string, string>;

const decoderOf = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    // Unknown charset: names and amounts are ASCII in any charset.
    if (error instanceof RangeError) return new TextDecoder('windows-1252');
    throw error;
  }
};

/** Characters outside the charset are encoded as `%uXXXX`, in UTF-16. */
const textOf = (encoded: string, decoder: TextDecoder): string =>
  encoded
    .split(/%u([\da-f]{4})/i)
    .map((part, i) =>
      i % 2 === 1 ? String.fromCharCode(Number.parseInt(part, 16)) : decoder.decode(bytesOf(part)),
    )
    .join('')
    .toWellFormed();

/** Parses a form from the wallet gateway, in the charset stated in one of its fields. */
export const parseWalletForm = (body: Buffer): WalletForm => {
  const pairs = pairsOf(body);
  const decoder = decoderOf(pairs.find(([name]) => name === 'charset')?.[1] ?? 'windows-1252');
  const form = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = textOf(name, decoder);
    if (!form.has(key)) form.set(key, textOf(value, decoder));
  }
  return form;
};

/** Value of a field; null when absent or empty. */
export const fieldOf = (form: WalletForm, name: string): string | null => trimmedOrNull(form.get(name));
