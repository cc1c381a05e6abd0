/** The store gateway: signed notifications, and the App Store Server API for data that they lack. */
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { Gateway } from '#domain/subscriptions/gateway.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { refusingGateway } from '../calls.ts';
import type { GatewayParts } from '../calls.ts';
import { createStoreApi } from './api.ts';
import { mobileReader, notificationReader } from './messages.ts';
import type { StoreSettings } from './settings.ts';
import { createSignedData } from './signed-data.ts';

/** The store keeps notifications for 180 days and refuses to list older ones. */
const historyDays = 179;

export const createStoreGateway = (settings: StoreSettings, { http, clock }: GatewayParts): Gateway => {
  const signed = createSignedData(settings);
  const api = settings.api
    ? createStoreApi({ http, clock, settings: { ...settings, api: settings.api } })
    : null;
  const reads = api && { api, signed };
  return {
    ...refusingGateway('store', (what) => new GatewayError('refused', `The store gateway cannot ${what}.`)),
    messages: { notifications: notificationReader(signed), mobile: mobileReader(reads) },
    payments: async () => [],
    missed: async (since, options) => {
      const kept = addSeconds(clock.now(), -historyDays * daySeconds);
      const payloads = api ? await api.history(since > kept ? since : kept, options) : [];
      const messages = payloads.map((signedPayload) => ({
        event: 'notifications',
        body: Buffer.from(JSON.stringify({ signedPayload })),
      }));
      return { references: [], messages };
    },
  };
};
