/** Meaning of failed gateway API calls. */
import { RequestError } from 'got';
import type { OptionsOfTextResponseBody } from 'got';
import type { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions, Gateway, GatewayKind } from '#domain/subscriptions/gateway.ts';
import type { Clock } from '#domain/time.ts';
import type { Config } from '#platform/config/config.ts';
import type { Http } from '#platform/http.ts';

/** Dependencies of a gateway. */
export interface GatewayParts {
  config: Config;
  http: Http;
  clock: Clock;
}

/** A gateway whose calls all fail with the same kind of error. */
export const refusingGateway = (kind: GatewayKind, errorOf: (what: string) => GatewayError): Gateway => {
  const refuse = (what: string) => () => Promise.reject(errorOf(what));
  return {
    kind,
    isConfigured: true,
    messages: {},
    change: refuse('be changed'),
    read: refuse('be read'),
    payments: refuse('list payments'),
    missed: refuse('list what changed'),
    checkoutUrl: () => {
      throw errorOf('make links to buy');
    },
    paymentMethodUrl: refuse('change the payment method'),
    refund: refuse('refund'),
  };
};

/** Errors after which nothing was sent. */
const beforeSending: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Error for a request without an answer; other errors are returned unchanged. */
export const callError = (error: unknown, gateway: string): unknown => {
  if (!(error instanceof RequestError)) return error;
  const isUnsent = beforeSending.has(error.code);
  // The error message may contain the address with its parameters.
  const what = isUnsent ? 'could not be reached' : 'gave no answer';
  return new GatewayError(
    isUnsent ? 'unavailable' : 'unknown',
    `The ${gateway} gateway ${what} (${error.code}).`,
  );
};

/** Sends one request to a gateway and returns any answer. Throws `GatewayError`. */
export const send = async (
  { gateway, http }: { gateway: string; http: Http },
  url: string,
  how: OptionsOfTextResponseBody,
  { timeoutMs, signal, called }: CallOptions,
) => {
  called?.();
  try {
    return await http(url, { ...how, timeout: { request: timeoutMs }, ...(signal ? { signal } : {}) });
  } catch (error) {
    throw callError(error, gateway);
  }
};

/** Validates an answer. Throws `GatewayError`. */
export const parsed = <S extends z.ZodType>(schema: S, value: unknown, gateway: string): z.output<S> => {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  throw new GatewayError('unknown', `The ${gateway} gateway answered in an unknown form.`);
};

/** Error for an answer that reports a failure. `words` come from the provider. */
export const answerError = (status: number, words: string, gateway: string): GatewayError => {
  const text = `The ${gateway} gateway answered ${status}${words === '' ? '' : `: ${words.slice(0, 200)}`}.`;
  // Credentials and rate limits concern the operator, not this subscription.
  if (status === 401 || status === 403 || status === 429) return new GatewayError('unavailable', text);
  return new GatewayError(status >= 500 ? 'unknown' : 'refused', text);
};

/** Parses a text that may not be JSON. Throws `GatewayError`. */
export const jsonOf = (text: string, gateway: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new GatewayError('unknown', `The ${gateway} gateway answered with something else than JSON.`, {
      cause: error,
    });
  }
};

/** The JSON of an answer, `{}` if it is empty; null for 404. `wordsOf` finds the provider's words. Throws `GatewayError`. */
export const jsonAnswer = (
  { statusCode, body }: { statusCode: number; body: string },
  gateway: string,
  wordsOf?: (json: unknown) => string,
): unknown => {
  if (statusCode === 404) return null;
  const json = () => (body === '' ? {} : jsonOf(body, gateway));
  if (statusCode < 300) return json();
  throw answerError(statusCode, wordsOf && statusCode < 500 ? wordsOf(json()) : '', gateway);
};
