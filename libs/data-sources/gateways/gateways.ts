import { GatewayError, InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { Gateway, GatewayKind, Gateways, MessageReader } from '#domain/subscriptions/gateway.ts';
import { gatewayAnswered } from '#platform/metrics/events.ts';
import type { GatewayOutcome } from '#platform/metrics/events.ts';
import { createCardGateway } from './card/card.ts';
import { cardSettings } from './card/settings.ts';
import { refusingGateway } from './calls.ts';
import type { GatewayParts } from './calls.ts';
import { storeSettings } from './store/settings.ts';
import type { StoreSettings } from './store/settings.ts';
import { walletSettings } from './wallet/settings.ts';
import { createWalletGateway } from './wallet/wallet.ts';

/** A gateway without credentials: it accepts no message, and every call fails with the same explanation. */
const unconfiguredGateway = (kind: GatewayKind): Gateway => ({
  ...refusingGateway(kind, () => new GatewayError('unavailable', `The ${kind} gateway is not configured.`)),
  isConfigured: false,
});

const outcomeOf = (error: unknown): GatewayOutcome => {
  if (error instanceof GatewayError) return error.outcome;
  return error instanceof InvalidSignatureError ? 'forged' : 'failed';
};

/** Wraps a gateway so that its calls are published. */
const observedGateway = (gateway: Gateway): Gateway => {
  const { kind } = gateway;
  const observe = async <T>(verb: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    let outcome: GatewayOutcome = 'done';
    try {
      return await work();
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      const seconds = (performance.now() - started) / 1_000;
      gatewayAnswered.publish({ gateway: kind, verb, outcome, seconds });
    }
  };
  const observedReader = (reader: MessageReader): MessageReader => ({
    ...reader,
    verify: (...parts) => observe('verify', () => reader.verify(...parts)),
  });
  return {
    ...gateway,
    messages: Object.fromEntries(
      Object.entries(gateway.messages).map(([event, reader]) => [event, observedReader(reader)]),
    ),
    change: (change, options) => observe(change.verb, () => gateway.change(change, options)),
    read: (...parts) => observe('read', () => gateway.read(...parts)),
    payments: (...parts) => observe('payments', () => gateway.payments(...parts)),
    missed: (...parts) => observe('missed', () => gateway.missed(...parts)),
    paymentMethodUrl: (...parts) => observe('paymentMethodUrl', () => gateway.paymentMethodUrl(...parts)),
    refund: (...parts) => observe('refund', () => gateway.refund(...parts)),
  };
};

/** The store's library has some 150 modules, so it is loaded only if the store is configured. */
const createStore = async (settings: StoreSettings, parts: GatewayParts): Promise<Gateway> => {
  const { createStoreGateway } = await import('./store/store.ts');
  return observedGateway(createStoreGateway(settings, parts));
};

/** All gateways, configured or not. */
export const createGateways = async (parts: GatewayParts): Promise<Gateways> => {
  const { config } = parts;
  const card = cardSettings(config);
  const wallet = walletSettings(config);
  const store = storeSettings(config);
  return {
    card: card ? observedGateway(createCardGateway(card, parts)) : unconfiguredGateway('card'),
    wallet: wallet ? observedGateway(createWalletGateway(wallet, parts)) : unconfiguredGateway('wallet'),
    store: store ? await createStore(store, parts) : unconfiguredGateway('store'),
  };
};
