/** An app reports a purchase. The report proves nothing: it makes the service ask the store. */
import { z } from 'zod';
import type { CallOptions, MessageReader } from '#domain/subscriptions/gateway.ts';
import type { GatewayNotice } from '#domain/subscriptions/notice.ts';
import type { StoreApi } from './api.ts';
import { stateNotices } from './effects.ts';
import type { StoreState } from './effects.ts';
import { jsonBody, noReceipt } from './notifications.ts';
import type { SignedData } from './signed-data.ts';

const bodySchema = z.object({
  transactionId: z
    .union([z.string(), z.int().positive()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,32}$/)),
});

interface StoreReads {
  api: StoreApi;
  signed: SignedData;
}

const timeoutMs = 10_000;

const stateOf = async (
  signed: SignedData,
  { status, jws, renewalJws }: { status: number | null; jws: string; renewalJws: string | undefined },
  now: Date,
): Promise<StoreState> => {
  const transaction = await signed.transaction(jws);
  const renewal = renewalJws === undefined ? null : await signed.renewal(renewalJws);
  const signedMs = Math.max(transaction.signedDate ?? 0, renewal?.signedDate ?? 0);
  return { transaction, renewal, status, signedAt: signedMs > 0 ? new Date(signedMs) : now };
};

/** State of the subscriptions of the customer who made this transaction; null when the store does not know it. */
const statesAtStore = async (
  { api, signed }: StoreReads,
  transactionId: string,
  now: Date,
  options: CallOptions,
): Promise<StoreState[] | null> => {
  const statuses = await api.statuses(transactionId, options);
  if (statuses)
    return Promise.all(
      statuses.map(({ status, signedTransactionInfo: jws, signedRenewalInfo: renewalJws }) =>
        stateOf(signed, { status, jws, renewalJws }, now),
      ),
    );
  const jws = await api.transaction(transactionId, options);
  return jws === null ? null : [await stateOf(signed, { status: null, jws, renewalJws: undefined }, now)];
};

/** One report of a transaction counts in an hour: whoever sends more of them causes no more work. */
const hourOf = (now: Date): string => now.toISOString().slice(0, 13);

/** Without `reads`, reports are stored and change nothing. */
export const mobileReader = (reads: StoreReads | null): MessageReader => ({
  verify: async ({ body }, now) => {
    const { transactionId } = jsonBody(bodySchema, body);
    return { eventId: `nudge ${transactionId} ${hourOf(now)}`, occurredAt: now, reference: null };
  },
  receipt: noReceipt,
  notices: async ({ body }, now): Promise<GatewayNotice[]> => {
    if (!reads) return [];
    const { transactionId } = jsonBody(bodySchema, body);
    const states = await statesAtStore(reads, transactionId, now, { timeoutMs });
    return (states ?? []).flatMap(stateNotices);
  },
});
