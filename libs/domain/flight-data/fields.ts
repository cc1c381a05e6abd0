/** What the flight data queries accept, and the limits of M-8.3. */
import { z } from 'zod';
import { ofpIdField } from '../ofp/id.ts';
import { timeOfText } from './timestamp.ts';

export const maxPayloadBytes = 4_194_304;
/** The same as JSON inside the body: a text has its quotes and line ends escaped. */
export const maxFlightDataBodyBytes = 2 * maxPayloadBytes;
export const defaultDataKey = 'default';

/** Section of the data of a plan; `default` when absent. */
const dataKeyField = () =>
  z
    .string('INVALID_DATA_KEY')
    .max(64, 'INVALID_DATA_KEY')
    .regex(/^[A-Za-z0-9._-]+$/, 'INVALID_DATA_KEY')
    .nullish()
    .transform((key) => key ?? defaultDataKey);

/** The row of a plan that a query is about. */
export const rowKeyFields = () => ({ ofpId: ofpIdField(), dataKey: dataKeyField() });

/** A payload as it is stored: JSON, in which a text is a JSON string, so that it is returned as a text. */
export interface Payload {
  json: string;
  /** Size of the JSON of an object or list; of a text, its own size. */
  bytes: number;
}

const encoder = new TextEncoder();

/** UTF-8 bytes. */
const bytesOf = (text: string): number => encoder.encode(text).length;

export const payloadField = () =>
  z
    .unknown()
    .optional()
    .transform((value, ctx): Payload => {
      const refused = (code: string): never => {
        ctx.addIssue({ code: 'custom', message: code, input: value });
        return z.NEVER;
      };
      if (value === undefined) return refused('MISSING_PAYLOAD');
      if (typeof value !== 'string' && (typeof value !== 'object' || value === null))
        return refused('INVALID_PAYLOAD');
      const json = JSON.stringify(value);
      const bytes = bytesOf(typeof value === 'string' ? value : json);
      return bytes > maxPayloadBytes ? refused('PAYLOAD_TOO_LARGE') : { json, bytes };
    })
    .meta({ type: ['object', 'array', 'string'], maxBytes: maxPayloadBytes });

/** A time without a fraction is the whole second that answers show, one with a fraction is exact. */
const throughSecond = (time: Date): Date =>
  time.getUTCMilliseconds() === 0 ? new Date(time.getTime() + 999) : time;

/**
 * ISO 8601, or `YYYY-MM-DD HH:MM:SS` as answers have it; without a zone it is UTC. Null when absent, else the
 * latest time of a version that the client has seen.
 */
export const lastDownloadedAtField = () =>
  z
    .string('INVALID_TIMESTAMP')
    .max(40, 'INVALID_TIMESTAMP')
    .transform((text, ctx) => {
      const time = timeOfText(text);
      if (time) return throughSecond(time);
      ctx.addIssue({ code: 'custom', message: 'INVALID_TIMESTAMP', input: text });
      return z.NEVER;
    })
    .nullish()
    .transform((time) => time ?? null);
