/** Server notifications of the store, version 2: signed, and what is inside is signed again. */
import { z } from 'zod';
import { InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { MessageReader } from '#domain/subscriptions/gateway.ts';
import { notificationNotices } from './effects.ts';
import type { StoreState } from './effects.ts';
import type { SignedData, StoreNotification } from './signed-data.ts';

const bodySchema = z.object({ signedPayload: z.string() });

/** A field of a body in JSON. Throws `InvalidSignatureError`. */
export const jsonBody = <S extends z.ZodType>(schema: S, body: Buffer): z.output<S> => {
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
  /** Null when the notification is about something else than a subscription. */
  state: StoreState | null;
}

/** Verifies the notification and what is signed in it. Throws `InvalidSignatureError`. */
const open = async (signed: SignedData, payload: string, now: Date): Promise<Opened> => {
  const notification = await signed.notification(payload);
  const { data, signedDate } = notification;
  const signedAt = signedDate === undefined ? now : new Date(signedDate);
  const renewal = data?.signedRenewalInfo ? await signed.renewal(data.signedRenewalInfo) : null;
  if (!data?.signedTransactionInfo) return { notification, state: null };
  const transaction = await signed.transaction(data.signedTransactionInfo);
  return { notification, state: { transaction, renewal, status: data.status ?? null, signedAt } };
};

export const noReceipt = () => ({ contentType: 'text/plain; charset=utf-8', text: '' });

export const notificationReader = (signed: SignedData): MessageReader => ({
  verify: async ({ body }, now) => {
    const { notification, state } = await open(signed, jsonBody(bodySchema, body).signedPayload, now);
    const { notificationUUID: eventId, signedDate } = notification;
    if (!eventId) throw new InvalidSignatureError('it has no id');
    const occurredAt = signedDate === undefined ? now : new Date(signedDate);
    return { eventId, occurredAt, reference: state?.transaction.originalTransactionId ?? null };
  },
  receipt: noReceipt,
  notices: async ({ body }, now) => {
    const { notification, state } = await open(signed, jsonBody(bodySchema, body).signedPayload, now);
    const { notificationType = '', subtype } = notification;
    return state ? notificationNotices(state, notificationType, subtype) : [];
  },
});
