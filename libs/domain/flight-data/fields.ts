/** Input of the flight data queries, with the limits of M-8.3. */
import { z } from 'zod';
import { ofpIdField } from '../ofp/id.ts';
import { opaqueFields } from '../fields/codes.ts';
import { instantText } from '../text/instant.ts';
import { isJsonText, jsonText } from '../text/json-text.ts';
import type { JsonText } from '../text/json-text.ts';

const maxPayloadBytes = 4_194_304;
/** Per plan, including deleted ones. */
export const maxSections = 1_000;
/** Twice the payload: a text inside the JSON body has its quotes and line ends escaped. */
export const maxFlightDataBodyBytes = 2 * maxPayloadBytes;
const defaultDataKey = 'default';

/** A section of a plan's data. */
export const givenDataKeyField = () =>
  z
    .string('INVALID_DATA_KEY')
    .max(64, 'INVALID_DATA_KEY')
    .regex(/^[A-Za-z0-9._-]+$/, 'INVALID_DATA_KEY');

/** `default` when absent. */
const dataKeyField = () =>
  givenDataKeyField()
    .nullish()
    .transform((key) => key ?? defaultDataKey);

/** Identifies a row of a plan. */
export const rowKeyFields = () => ({ ofpId: ofpIdField(), dataKey: dataKeyField() });

const encoder = new TextEncoder();

/** UTF-8 bytes. */
const bytesOf = (text: string): number => encoder.encode(text).length;

const jsonTextOf = (value: unknown): JsonText => {
  if (isJsonText(value)) return value;
  const json = JSON.stringify(value);
  return jsonText(json, bytesOf(json));
};

/**
 * The JSON text as sent; a text becomes a JSON string, so that it is returned as a text, and its size is that of
 * the text itself.
 */
export const payloadField = () =>
  z
    .unknown()
    .optional()
    .transform((value, ctx): JsonText => {
      const refused = (code: string): never => {
        ctx.addIssue({ code: 'custom', message: code, input: value });
        return z.NEVER;
      };
      if (value === undefined) return refused('MISSING_PAYLOAD');
      const sent = jsonTextOf(value);
      const { text } = sent;
      if (!/^["[{]/.test(text)) return refused('INVALID_PAYLOAD');
      const payload = text.startsWith('"') ? jsonText(text, bytesOf(String(JSON.parse(text)))) : sent;
      return payload.bytes > maxPayloadBytes ? refused('PAYLOAD_TOO_LARGE') : payload;
    })
    .meta({ type: ['object', 'array', 'string'], maxBytes: maxPayloadBytes })
    .register(opaqueFields, {});

/** A time without a fraction covers the whole second shown in answers. */
const throughSecond = (time: Date): Date =>
  time.getUTCMilliseconds() === 0 ? new Date(time.getTime() + 999) : time;

/**
 * ISO 8601, or `YYYY-MM-DD HH:MM:SS` as in answers; UTC without a zone. Null if absent, else the latest time of
 * any version that the client has seen.
 */
export const lastDownloadedAtField = () =>
  z
    .string('INVALID_TIMESTAMP')
    .max(40, 'INVALID_TIMESTAMP')
    .transform((text, ctx) => {
      const instant = instantText(text);
      if (instant !== null) return throughSecond(new Date(instant));
      ctx.addIssue({ code: 'custom', message: 'INVALID_TIMESTAMP', input: text });
      return z.NEVER;
    })
    .nullish()
    .transform((time) => time ?? null);
