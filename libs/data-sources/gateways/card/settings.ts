import type { Config } from '#platform/config/config.ts';

export interface CardSettings {
  merchantCode: string;
  secretKey: string;
  buyLinkSecret: string;
  restUrl: string;
  rpcUrl: string;
  checkoutUrl: string;
  timeZone: string;
  /** False: test orders grant nothing. */
  acceptsTests: boolean;
}

/** Null without credentials. */
export const cardSettings = (config: Config): CardSettings | null => {
  const { CARD_MERCHANT_CODE, CARD_SECRET_KEY, CARD_BUY_LINK_SECRET } = config;
  if (!CARD_MERCHANT_CODE || !CARD_SECRET_KEY || !CARD_BUY_LINK_SECRET) return null;
  return {
    merchantCode: CARD_MERCHANT_CODE,
    secretKey: CARD_SECRET_KEY,
    buyLinkSecret: CARD_BUY_LINK_SECRET,
    restUrl: `${config.CARD_API_URL}/rest/6.0`,
    rpcUrl: `${config.CARD_API_URL}/rpc/6.0/`,
    checkoutUrl: 'https://secure.2checkout.com/checkout/buy',
    timeZone: config.CARD_TIME_ZONE,
    acceptsTests: config.ACCEPT_TEST_PAYMENTS,
  };
};
