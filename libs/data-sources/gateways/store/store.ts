/** The store gateway: signed notifications, and the App Store Server API for what they do not say. */
import { InvalidSignatureError, GatewayError } from '#domain/subscriptions/gateway.ts';
import type { Gateway } from '#domain/subscriptions/gateway.ts';
import type { GatewayNotice } from '#domain/subscriptions/notice.ts';
import { addSeconds } from '#domain/time.ts';
import type { GatewayParts } from '../parts.ts';
import { createStoreApi } from './api.ts';
import { mobileReader } from './mobile.ts';
import { noticesOfPayload, notificationReader } from './notifications.ts';
import type { StoreSettings } from './settings.ts';
import { createSignedData } from './signed-data.ts';

/** The store keeps its notifications for 180 days, and refuses to list older ones. */
const historyDays = 179;

export const createStoreGateway = (settings: StoreSettings, { http, clock }: GatewayParts): Gateway => {
  const signed = createSignedData(settings);
  const api = settings.api
    ? createStoreApi({ http, clock, settings: { ...settings, api: settings.api } })
    : null;
  const reads = api && { api, signed };
  const cannot = (what: string): GatewayError =>
    new GatewayError('refused', `The store gateway cannot ${what}.`);
  const noticesOf = async (payload: string): Promise<GatewayNotice[]> => {
    try {
      return await noticesOfPayload(signed, payload, clock.now());
    } catch (error) {
      if (!(error instanceof InvalidSignatureError)) throw error;
      throw new GatewayError('unknown', `The store gateway sent what it did not sign: ${error.message}.`);
    }
  };
  return {
    kind: 'store',
    isConfigured: true,
    manageUrl: settings.manageUrl,
    messages: { notifications: notificationReader(signed), mobile: mobileReader(reads) },
    change: ({ verb }) => Promise.reject(cannot(`do: ${verb}`)),
    read: () => Promise.reject(cannot('be read')),
    payments: async () => [],
    missed: async (since, options) => {
      if (!api) return [];
      const notices: GatewayNotice[] = [];
      const kept = addSeconds(clock.now(), -historyDays * 86_400);
      for (const payload of await api.history(since > kept ? since : kept, options))
        notices.push(...(await noticesOf(payload)));
      return notices.sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
    },
    checkoutUrl: () => {
      throw cannot('make links to buy');
    },
    paymentMethodUrl: () => Promise.reject(cannot('change the payment method')),
    refund: () => Promise.reject(cannot('refund')),
  };
};
