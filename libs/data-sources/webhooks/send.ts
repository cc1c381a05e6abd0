/** Sends one message to an endpoint: one POST without redirects, within a time limit. Only the status is read. */
import { openAnswer } from '#platform/http.ts';
import type { Http } from '#platform/http.ts';
import { mayBePublic, PrivateAddressError, publicLookup } from '#platform/public-address.ts';
import { isAccepted } from '#domain/webhooks/retries.ts';
import { openSealed, signatureHeaders } from '#store/auth/secrets.ts';
import type { DueDelivery } from '#store/postgres/webhooks/deliveries.ts';
import { oneLineOf } from '#platform/errors.ts';

const limitMs = 15_000;
const maxErrorCharacters = 300;

interface Answered {
  status: number | null;
  error: string | null;
  retryAfterSeconds: number | null;
}

interface Sending {
  http: Http;
  keys: readonly string[];
  /** Addresses in the operator's own network are allowed. */
  allowsPrivate: boolean;
  now: Date;
  signal: AbortSignal;
}

const failed = (error: string, status: number | null = null): Answered => ({
  status,
  error: error.slice(0, maxErrorCharacters),
  retryAfterSeconds: null,
});

const retryAfterOf = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : null;

/** Never throws because of the receiver; rejects when the signal aborts. */
export const sendMessage = async (
  { url, messageId, body, secretSealed, previousSealed }: DueDelivery,
  { http, keys, allowsPrivate, now, signal }: Sending,
): Promise<Answered> => {
  const secret = openSealed(secretSealed, 'webhook seal', keys);
  if (secret === null) return failed('the secret opens with no key: rotate it');
  const previous = openSealed(previousSealed, 'webhook seal', keys);
  if (!allowsPrivate && !mayBePublic(new URL(url))) return failed('the address is not public');
  const secrets = previous === null ? [secret] : [secret, previous];
  try {
    const { response, stream } = await openAnswer(http, url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...signatureHeaders({ id: `msg_${messageId}`, body, at: now }, secrets),
      },
      timeout: { lookup: 3_000, connect: 5_000, response: limitMs, request: limitMs },
      ...(allowsPrivate ? {} : { dnsLookup: publicLookup as never }),
      signal,
    });
    const { statusCode: status, headers } = response;
    stream.destroy();
    if (isAccepted(status)) return { status, error: null, retryAfterSeconds: null };
    return { ...failed(`HTTP ${status}`, status), retryAfterSeconds: retryAfterOf(headers['retry-after']) };
  } catch (error) {
    if (signal.aborted) throw error;
    const cause = error instanceof Error && error.cause instanceof PrivateAddressError ? error.cause : error;
    return failed(oneLineOf(cause));
  }
};
