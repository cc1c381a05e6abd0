/** Messages from the store and its apps: version 2 notifications, signed outside and inside, and purchase reports. */
import { z } from 'zod';
import { InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions, MessageReader } from '#domain/subscriptions/gateway.ts';
import type { StoreApi } from './api.ts';
import { notificationNotices, stateNotices } from './effects.ts';
import type { StoreState } from './effects.ts';
import type { SignedData, StoreNotification } from './signed-data.ts';

const bodySchema = z.object({ signedPayload: z.string() });

/** Parses a JSON body and returns a field. Throws `InvalidSignatureError`. */
const jsonBody = <S extends z.ZodType>(schema: S, body: Buffer): z.output<S> => {
  try {
    return schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof z.ZodError)
      throw new InvalidSignatureError('it is not a message of the store', { cause: error });
    throw error;
  }
};

interface Opened {
  notification: StoreNotification;
  /** Null when the notification concerns no subscription. */
  state: StoreState | null;
}

/** Verifies the notification and its signed parts. Throws `InvalidSignatureError`. */
const open = async (signed: SignedData, payload: string, now: Date): Promise<Opened> => {
  const notification = await signed.notification(payload);
  const { data, signedDate } = notification;
  const signedAt = signedDate === undefined ? now : new Date(signedDate);
  const renewal = data?.signedRenewalInfo ? await signed.renewal(data.signedRenewalInfo) : null;
  if (!data?.signedTransactionInfo) return { notification, state: null };
  const transaction = await signed.transaction(data.signedTransactionInfo);
  return { notification, state: { transaction, renewal, status: data.status ?? null, signedAt } };
};

export const notificationReader = (signed: SignedData): MessageReader => ({
  verify: async (body, now) => {
    const { notification, state } = await open(signed, jsonBody(bodySchema, body).signedPayload, now);
    const { notificationUUID: eventId, signedDate } = notification;
    if (!eventId) throw new InvalidSignatureError('it has no id');
    const occurredAt = signedDate === undefined ? now : new Date(signedDate);
    return { eventId, occurredAt, reference: state?.transaction.originalTransactionId ?? null };
  },
  notices: async (body, now) => {
    const { notification, state } = await open(signed, jsonBody(bodySchema, body).signedPayload, now);
    const { notificationType = '', subtype } = notification;
    return state ? notificationNotices(state, notificationType, subtype) : [];
  },
});

/** A purchase reported by an app. It proves nothing, so the service asks the store. */
const reportSchema = z.object({
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

/** States of all subscriptions of the customer with this transaction; null when the store does not know it. */
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

/** Reports of one transaction count once an hour, so that repeating them causes no more work. */
const hourOf = (now: Date): string => now.toISOString().slice(0, 13);

/** Without `reads`, reports are stored without effect. */
export const mobileReader = (reads: StoreReads | null): MessageReader => ({
  verify: async (body, now) => {
    const { transactionId } = jsonBody(reportSchema, body);
    return { eventId: `nudge ${transactionId} ${hourOf(now)}`, occurredAt: now, reference: null };
  },
  notices: async (body, now) => {
    if (!reads) return [];
    const { transactionId } = jsonBody(reportSchema, body);
    const states = await statesAtStore(reads, transactionId, now, { timeoutMs });
    return (states ?? []).flatMap(stateNotices);
  },
});
