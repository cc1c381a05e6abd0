/** REST 6.0 client of the card gateway. */
import { z } from 'zod';
import type { CallOptions } from '#domain/subscriptions/gateway.ts';
import { wireTime } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import type { Http } from '#platform/http.ts';
import { jsonAnswer, parsed, send } from '../calls.ts';
import type { CardSettings } from './settings.ts';
import { hmacOf, signedText } from './signature.ts';

export interface CardParts {
  settings: CardSettings;
  http: Http;
  clock: Clock;
}

/** The time in UTC (`YYYY-MM-DD HH:MM:SS`), and the signature of merchant and time. */
export const signedNow = ({ settings, clock }: Pick<CardParts, 'settings' | 'clock'>) => {
  const date = wireTime(clock.now());
  const hash = hmacOf('sha3-256', settings.secretKey, signedText([settings.merchantCode, date]));
  return { date, hash };
};

const problemSchema = z.object({ message: z.string() });

interface RestRequest {
  method?: 'GET' | 'POST' | 'PUT';
  /** Relative to the base URL, with the trailing slash that the API expects. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

/** The validated answer; null for 404. Throws `GatewayError`. */
export const rest = async <S extends z.ZodType>(
  parts: CardParts,
  schema: S,
  { method = 'GET', path, query = {}, body }: RestRequest,
  options: CallOptions,
): Promise<z.output<S> | null> => {
  const { settings, http } = parts;
  const { date, hash } = signedNow(parts);
  const headers = {
    accept: 'application/json',
    'x-avangate-authentication': `code="${settings.merchantCode}" date="${date}" hash="${hash}" algo="sha3-256"`,
  };
  const how = { method, searchParams: query, headers, ...(body === undefined ? {} : { json: body }) };
  const url = `${settings.restUrl}${path}`;
  const answer = await send({ gateway: 'card', http }, url, how, options);
  const json = jsonAnswer(answer, 'card', (problem) => problemSchema.safeParse(problem).data?.message ?? '');
  return json === null ? null : parsed(schema, json, 'card');
};
