/** A webhook: the raw bytes are verified, stored once, and acknowledged, which ends the provider's retries. */
import { z } from 'zod';
import { InvalidSignatureError, gatewayCodes, GatewayError } from '#domain/subscriptions/gateway.ts';
import type { GatewayKind, Gateways, MessageReader, VerifiedMessage } from '#domain/subscriptions/gateway.ts';
import { receiveEvent } from '#commands/subscriptions/messages.ts';
import type { Body, Call } from '../call.ts';
import { defineOperation } from '../define.ts';
import type { Operation } from '../define.ts';
import { commonError } from '../errors.ts';
import { webhookLimit } from '../limits.ts';

interface WebhookDeclaration {
  gateway: GatewayKind;
  /** Last part of `/api/webhooks/<provider>/<event>`, and the name of the gateway's message reader. */
  event: string;
  summary: string;
  /** How the provider's signature is verified, for the reference. */
  verified: string;
  maxBodyBytes?: number;
}

const defaultBytes = 524_288;

/** Path under the provider's code: `/api/webhooks/2checkout/ipn`. */
export const webhookPath = ({ gateway, event }: Pick<WebhookDeclaration, 'gateway' | 'event'>): string =>
  `/api/webhooks/${gatewayCodes[gateway]}/${event}`;

const readerOf = (gateways: Gateways, { gateway, event }: WebhookDeclaration): MessageReader => {
  const reader = gateways[gateway].messages[event];
  if (!reader) throw commonError('SERVICE_UNAVAILABLE', { message: 'This gateway is not configured.' });
  return reader;
};

const bytesOf = (body: Body): Buffer => body.raw ?? Buffer.alloc(0);

/** Throws INVALID_SIGNATURE for a forged message, SERVICE_UNAVAILABLE if it cannot be verified now. */
const verify = async (declaration: WebhookDeclaration, call: Call): Promise<null> => {
  const { gateways, clock } = call.tools;
  try {
    call.message = await readerOf(gateways, declaration).verify(bytesOf(call.body), clock.now());
  } catch (error) {
    if (error instanceof InvalidSignatureError) throw commonError('INVALID_SIGNATURE');
    if (error instanceof GatewayError)
      throw commonError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '60' } });
    throw error;
  }
  return null;
};

/** Context that `run` adds for webhooks. */
interface Received {
  message: VerifiedMessage;
  body: Body;
}

export interface Webhook extends Operation {
  webhook: WebhookDeclaration;
}

const defineWebhook = (declaration: WebhookDeclaration): Webhook => ({
  ...defineOperation('webhook', { inputFrom: 'raw' })({
    name: `${declaration.gateway}-${declaration.event}`,
    spec: ['6'],
    summary: declaration.summary,
    auth: { verified: declaration.verified, verify: (call: Call) => verify(declaration, call) },
    limits: [webhookLimit],
    maxBodyBytes: declaration.maxBodyBytes ?? defaultBytes,
    dialect: 'receipt',
    errors: {},
    input: z.strictObject({}),
    output: z.strictObject({ contentType: z.string(), text: z.string() }),
    // The gateway is called outside the transaction that stores the message.
    tx: 'manual',
    // Payments contain personal data; the message itself is stored in a separate table.
    isBodyLogged: false,
    handler: async (ctx) => {
      const { gateways, jobs, transaction, now } = ctx;
      const { message, body } = ctx as unknown as Received;
      const raw = bytesOf(body);
      const { gateway: kind, event } = declaration;
      const received = { ...message, gateway: gatewayCodes[kind], event, raw, receivedAt: now };
      await transaction((tx) => receiveEvent(tx, { jobs }, received));
      const reader = readerOf(gateways, declaration);
      return reader.receipt?.(raw, now) ?? { contentType: 'text/plain; charset=utf-8', text: '' };
    },
  }),
  webhook: declaration,
});

const declared: readonly WebhookDeclaration[] = [
  {
    gateway: 'card',
    event: 'ipn',
    summary: 'Payment notification of the card gateway.',
    verified: 'HMAC signature over the values of the form',
  },
  {
    gateway: 'card',
    event: 'lcn',
    summary: 'Licence change notification of the card gateway.',
    verified: 'HMAC signature over the values of the form',
  },
  {
    gateway: 'store',
    event: 'mobile',
    summary: 'Report of an app about a purchase: `{transactionId}`.',
    verified: 'Nothing: the service asks the app store about the transaction',
    maxBodyBytes: 4_096,
  },
  {
    gateway: 'store',
    event: 'notifications',
    summary: 'Server notification of the app store, version 2.',
    verified: 'JWS signature with a certificate chain to a root of the app store',
  },
  {
    gateway: 'wallet',
    event: 'ipn',
    summary: 'Payment notification of the wallet gateway.',
    verified: 'Sent back unchanged to the gateway, which confirms that it sent it',
  },
];

export const webhooks = declared.map(defineWebhook);
