/** Parsers of posted forms; they keep the bytes, which are what gateways sign. */

/** Encoded names and values in the order of the body. */
const pairsOf = (body: Buffer): [name: string, value: string][] =>
  body
    .toString('latin1')
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return [name, pair.slice(name.length + 1)];
    });

/** Decoded bytes, in any charset. */
const bytesOf = (encoded: string): Buffer =>
  Buffer.from(
    encoded
      .replaceAll('+', ' ')
      .replace(/%([\da-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const trimmedOrNull = (text: string | undefined): string | null => text?.trim() || null;

/** Values as bytes, by name without `[]`, in the order in which the names first appear, as PHP has them. */
export type CardForm = ReadonlyMap<string, readonly Buffer[]>;

export class FormError extends Error {
  override name = 'FormError';
}

/**
 * The form of a message of the card gateway. Throws `FormError` for a name that appears twice without `[]`, of which
 * PHP would keep the last, and for escapes in different cases, which no encoder writes.
 */
export const parseCardForm = (body: Buffer): CardForm => {
  const text = body.toString('latin1');
  if (/%[\da-fA-F]?[a-f]/.test(text) && /%[\da-fA-F]?[A-F]/.test(text))
    throw new FormError('escapes are written in different cases');
  const form = new Map<string, Buffer[]>();
  for (const [encoded, value] of pairsOf(body)) {
    const name = bytesOf(encoded).toString('utf8');
    if (!/^[A-Z][A-Z0-9_]*(?:\[\d*\])?$/.test(name)) throw new FormError('a name is not one of the provider');
    const base = name.replace(/\[\d*\]$/, '');
    const known = form.get(base);
    if (known && base === name) throw new FormError(`${name} appears twice`);
    if (known) known.push(bytesOf(value));
    else form.set(base, [bytesOf(value)]);
  }
  return form;
};

/** The value of a field at this position, or null when it is absent or empty. */
export const valueAt = (form: CardForm, name: string, index = 0): string | null =>
  trimmedOrNull(form.get(name)?.[index]?.toString('utf8'));

/** Of a name that appears twice the first value counts. */
export type WalletForm = ReadonlyMap<string, string>;

const decoderOf = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    // An unknown charset: the names and amounts are ASCII in every one.
    if (error instanceof RangeError) return new TextDecoder('windows-1252');
    throw error;
  }
};

/** Characters that the charset does not have are written as `%uXXXX`, in UTF-16. */
const textOf = (encoded: string, decoder: TextDecoder): string =>
  encoded
    .split(/%u([\da-f]{4})/i)
    .map((part, i) =>
      i % 2 === 1 ? String.fromCharCode(Number.parseInt(part, 16)) : decoder.decode(bytesOf(part)),
    )
    .join('')
    .toWellFormed();

/** The form of a message of the wallet gateway, in the charset that one of its fields names. */
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

/** The value of a field, or null when it is absent or empty. */
export const fieldOf = (form: WalletForm, name: string): string | null => trimmedOrNull(form.get(name));
