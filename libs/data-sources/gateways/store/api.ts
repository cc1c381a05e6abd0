/** App Store Server API. */
import { SignJWT } from 'jose';
import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions } from '#domain/subscriptions/gateway.ts';
import type { Clock } from '#domain/time.ts';
import type { Http } from '#platform/http.ts';
import { jsonAnswer, parsed, send } from '../calls.ts';
import type { StoreSettings } from './settings.ts';

interface StoreApiParts {
  http: Http;
  clock: Clock;
  settings: StoreSettings & { api: NonNullable<StoreSettings['api']> };
}

const statusesSchema = z.object({
  data: z.array(
    z.object({
      lastTransactions: z.array(
        z.object({
          originalTransactionId: z.string(),
          status: z.number(),
          signedTransactionInfo: z.string(),
          signedRenewalInfo: z.string().optional(),
        }),
      ),
    }),
  ),
});
type StoreStatus = z.output<typeof statusesSchema>['data'][number]['lastTransactions'][number];

const transactionSchema = z.object({ signedTransactionInfo: z.string() });
const historySchema = z.object({
  notificationHistory: z.array(z.object({ signedPayload: z.string() })).default([]),
  hasMore: z.boolean().default(false),
  paginationToken: z.string().optional(),
});

const tokenSeconds = 600;
const maxPages = 500;

export interface StoreApi {
  /** Statuses of all subscriptions of the customer with this transaction; null when the store does not know it. */
  statuses: (transactionId: string, options: CallOptions) => Promise<StoreStatus[] | null>;
  /** The signed transaction; null when the store does not know it. */
  transaction: (transactionId: string, options: CallOptions) => Promise<string | null>;
  /** Signed notifications since a time, oldest first. */
  history: (since: Date, options: CallOptions) => Promise<string[]>;
}

export const createStoreApi = ({ http, clock, settings }: StoreApiParts): StoreApi => {
  const { url, issuerId, keyId, privateKey } = settings.api;

  const token = (): Promise<string> => {
    const seconds = Math.floor(clock.now().getTime() / 1_000);
    return new SignJWT({ bid: settings.bundleId })
      .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
      .setIssuer(issuerId)
      .setAudience('appstoreconnect-v1')
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + tokenSeconds)
      .sign(privateKey);
  };

  const call = async (path: string, options: CallOptions, body?: unknown): Promise<unknown> => {
    const headers = { accept: 'application/json', authorization: `Bearer ${await token()}` };
    const how = body === undefined ? { headers } : ({ method: 'POST', headers, json: body } as const);
    return jsonAnswer(await send({ gateway: 'store', http }, `${url}${path}`, how, options), 'store');
  };

  return {
    statuses: async (transactionId, options) => {
      const found = await call(`/inApps/v1/subscriptions/${encodeURIComponent(transactionId)}`, options);
      return found === null
        ? null
        : parsed(statusesSchema, found, 'store').data.flatMap((group) => group.lastTransactions);
    },
    transaction: async (transactionId, options) => {
      const found = await call(`/inApps/v1/transactions/${encodeURIComponent(transactionId)}`, options);
      return found === null ? null : parsed(transactionSchema, found, 'store').signedTransactionInfo;
    },
    history: async (since, options) => {
      const body = { startDate: since.getTime(), endDate: clock.now().getTime() };
      const payloads: string[] = [];
      let next: string | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const query = next === undefined ? '' : `?paginationToken=${encodeURIComponent(next)}`;
        const found = await call(`/inApps/v1/notifications/history${query}`, options, body);
        const { notificationHistory, hasMore, paginationToken } = parsed(historySchema, found ?? {}, 'store');
        payloads.push(...notificationHistory.map(({ signedPayload }) => signedPayload));
        if (!hasMore || paginationToken === undefined) return payloads;
        next = paginationToken;
      }
      throw new GatewayError('refused', 'The history of the store gateway is longer than expected.');
    },
  };
};
