/** Forms as PHP reads them: the card gateway signs the values in the order in which their names first appear. */
import { formBytes } from '../form-bytes.ts';

/** Values as bytes, by name without `[]`, in the order of first appearance. */
export type Form = ReadonlyMap<string, readonly Buffer[]>;

export class FormError extends Error {
  override name = 'FormError';
}

/**
 * Parses the bytes of a body. Throws `FormError` for a name that appears twice without `[]`, of which PHP would keep
 * the last, and for escapes in different cases, which no encoder writes.
 */
export const parseForm = (body: Buffer): Form => {
  const text = body.toString('latin1');
  if (/%[\da-fA-F]?[a-f]/.test(text) && /%[\da-fA-F]?[A-F]/.test(text))
    throw new FormError('escapes are written in different cases');
  const form = new Map<string, Buffer[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = formBytes(equals < 0 ? pair : pair.slice(0, equals)).toString('utf8');
    const value = formBytes(equals < 0 ? '' : pair.slice(equals + 1));
    if (!/^[A-Z][A-Z0-9_]*(?:\[\d*\])?$/.test(name)) throw new FormError('a name is not one of the provider');
    const base = name.replace(/\[\d*\]$/, '');
    const known = form.get(base);
    if (known && base === name) throw new FormError(`${name} appears twice`);
    if (known) known.push(value);
    else form.set(base, [value]);
  }
  return form;
};

/** The value of a field at this position, or null when it is absent or empty. */
export const valueAt = (form: Form, name: string, index = 0): string | null => {
  const text = form.get(name)?.[index]?.toString('utf8').trim() ?? '';
  return text === '' ? null : text;
};
