import type { Gateway, Gateways } from '#domain/subscriptions/gateway.ts';
import { createCardGateway } from './card/card.ts';
import { cardManageUrl, cardSettings } from './card/settings.ts';
import { observedGateway } from './observed.ts';
import type { GatewayParts } from './parts.ts';
import { storeManageUrl, storeSettings } from './store/settings.ts';
import type { StoreSettings } from './store/settings.ts';
import { unconfiguredGateway } from './unconfigured.ts';
import { walletManageUrl, walletSettings } from './wallet/settings.ts';
import { createWalletGateway } from './wallet/wallet.ts';

/** Its maker's library is some 150 modules, which only a service with a store loads. */
const createStore = async (settings: StoreSettings, parts: GatewayParts): Promise<Gateway> => {
  const { createStoreGateway } = await import('./store/store.ts');
  return observedGateway(createStoreGateway(settings, parts));
};

/** The gateways, each configured or not. */
export const createGateways = async (parts: GatewayParts): Promise<Gateways> => {
  const { config } = parts;
  const card = cardSettings(config);
  const wallet = walletSettings(config);
  const store = storeSettings(config);
  return {
    card: card ? observedGateway(createCardGateway(card, parts)) : unconfiguredGateway('card', cardManageUrl),
    wallet: wallet
      ? observedGateway(createWalletGateway(wallet, parts))
      : unconfiguredGateway('wallet', walletManageUrl),
    store: store ? await createStore(store, parts) : unconfiguredGateway('store', storeManageUrl),
  };
};
