import type { Gateways } from '#domain/subscriptions/gateway.ts';
import type { Clock } from '#domain/time.ts';
import type { Config } from '../config.ts';
import type { Http } from '../http.ts';
import { createCardGateway } from './card/card.ts';
import { cardSettings } from './card/settings.ts';
import { observedGateway } from './observed.ts';
import { storeSettings } from './store/settings.ts';
import { createStoreGateway } from './store/store.ts';
import { unconfiguredGateway } from './unconfigured.ts';
import { walletSettings } from './wallet/settings.ts';
import { createWalletGateway } from './wallet/wallet.ts';

/** What a gateway is made of. */
export interface GatewayParts {
  config: Config;
  http: Http;
  clock: Clock;
}

/** The gateways, each configured or not. */
export const createGateways = (parts: GatewayParts): Gateways => {
  const { config } = parts;
  const card = cardSettings(config);
  const wallet = walletSettings(config);
  const store = storeSettings(config);
  return {
    card: card
      ? observedGateway(createCardGateway(card, parts))
      : unconfiguredGateway('card', config.CARD_MANAGE_URL),
    wallet: wallet
      ? observedGateway(createWalletGateway(wallet, parts))
      : unconfiguredGateway('wallet', config.WALLET_MANAGE_URL),
    store: store
      ? observedGateway(createStoreGateway(store, parts))
      : unconfiguredGateway('store', config.STORE_MANAGE_URL),
  };
};
