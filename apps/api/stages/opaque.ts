/** Members of `data` whose content belongs to the client: nothing in it is read, and it is stored unchanged. */
import { jsonText } from '#domain/text/json-text.ts';
import { memberText } from '#domain/text/json-members.ts';
import { isRecord } from '../call.ts';
import type { Body, Call } from '../call.ts';
import { commonError } from '../errors.ts';
import type { Registered } from '../registry.ts';

type Opaque = Pick<Registered, 'opaque'>;

/** A name in quotes that is `__proto__`, perhaps written with escapes. */
const mayHoldProto =
  /"(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"/i;

/** True when an object has a key that would set the prototype of a copy. The value is not nested deeply. */
const hasProto = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto));

const opaqueOf = (operation: Opaque | null, data: unknown): string[] =>
  isRecord(data) ? (operation?.opaque ?? []).filter((name) => Object.hasOwn(data, name)) : [];

/** The body with each opaque member that was sent replaced. */
const replacing = (
  operation: Opaque | null,
  { fields }: Body,
  place: (name: string) => unknown,
): Readonly<Record<string, unknown>> => {
  const { data } = fields;
  const names = opaqueOf(operation, data);
  if (names.length === 0) return fields;
  return {
    ...fields,
    data: { ...(data as object), ...Object.fromEntries(names.map((name) => [name, place(name)])) },
  };
};

/** Throws INVALID_JSON for a key that would set the prototype of a copy, unless it is in an opaque member. */
export const assertNoProto = (operation: Opaque | null, body: Body): void => {
  if (body.text === null || !mayHoldProto.test(body.text)) return;
  if (hasProto(replacing(operation, body, () => null))) throw commonError('INVALID_JSON');
};

/** The body for the log, without the opaque members. */
export const loggedFields = ({ operation, body }: Call): Body['fields'] =>
  replacing(operation, body, () => `[part of ${body.bytes} bytes]`);

/** `data` with its opaque members as the JSON text that was sent. */
export const withSentTexts = (operation: Opaque, { fields: { data }, text }: Body): unknown => {
  const names = text === null ? [] : opaqueOf(operation, data);
  if (names.length === 0) return data;
  const sent = names.map((name) => {
    const member = memberText(text ?? '', ['data', name]);
    return [name, jsonText(member, Buffer.byteLength(member))] as const;
  });
  return { ...(data as object), ...Object.fromEntries(sent) };
};
