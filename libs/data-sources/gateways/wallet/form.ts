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

export const parseIpn = (body: Buffer): IpnForm => {
  const pairs = body
    .toString('latin1')
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? ([formBytes(pair), Buffer.alloc(0)] as const)
        : ([formBytes(pair.slice(0, equals)), formBytes(pair.slice(equals + 1))] as const);
    });
  const charset = pairs.find(([name]) => name.toString('latin1') === 'charset')?.[1].toString('latin1');
  const decoder = decoderOf(charset ?? 'windows-1252');
  const form = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = decoder.decode(name);
    if (!form.has(key)) form.set(key, decoder.decode(value));
  }
  return form;
};

/** The value of a field, or null when it is absent or empty. */
export const fieldOf = (form: IpnForm, name: string): string | null => {
  const text = form.get(name)?.trim() ?? '';
  return text === '' ? null : text;
};
