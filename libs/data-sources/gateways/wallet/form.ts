/** Notifications are forms in a charset that one of their fields names. */
import { formBytes } from '../form-bytes.ts';

/** Of a name that appears twice the first value counts. */
export type IpnForm = ReadonlyMap<string, string>;

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
      i % 2 === 1 ? String.fromCharCode(Number.parseInt(part, 16)) : decoder.decode(formBytes(part)),
    )
    .join('')
    .toWellFormed();

export const parseIpn = (body: Buffer): IpnForm => {
  const pairs = body
    .toString('latin1')
    .split('&')
    .filter(Boolean)
    .map((pair) => /^([^=]*)=?([\s\S]*)$/.exec(pair)?.slice(1) ?? []);
  const charset = pairs.find(([name]) => name === 'charset')?.[1];
  const decoder = decoderOf(charset ?? 'windows-1252');
  const form = new Map<string, string>();
  for (const [name = '', value = ''] of pairs) {
    const key = textOf(name, decoder);
    if (!form.has(key)) form.set(key, textOf(value, decoder));
  }
  return form;
};

/** The value of a field, or null when it is absent or empty. */
export const fieldOf = (form: IpnForm, name: string): string | null => {
  const text = form.get(name)?.trim() ?? '';
  return text === '' ? null : text;
};
