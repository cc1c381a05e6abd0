/** Secrets of webhook endpoints, and the signatures that they make (Standard Webhooks, symmetric). */
import { createHmac, randomBytes } from 'node:crypto';
import { openSealed, seal } from './sealing.ts';

const prefix = 'whsec_';

/** 24 random bytes, as the libraries of Standard Webhooks expect them. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(24).toString('base64')}`;

export const sealWebhookSecret = (secret: string, keys: readonly string[]): Buffer =>
  seal(secret, 'webhook seal', keys);

/** Null when the key with which it was sealed is none of these. */
export const openWebhookSecret = (sealed: Buffer | null, keys: readonly string[]): string | null =>
  openSealed(sealed, 'webhook seal', keys);

interface SignedMessage {
  /** The same in every attempt. */
  id: string;
  body: string;
  at: Date;
}

/** The headers of a message, with a signature for each secret. */
export const signatureHeaders = (
  { id, body, at }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signed.join(' ') };
};
