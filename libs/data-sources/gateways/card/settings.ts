import type { Config } from '#platform/config/config.ts';

/** Null without credentials. */
export const cardSettings = (config: Config) => {
  const { CARD_MERCHANT_CODE: merchantCode, CARD_SECRET_KEY: secretKey } = config;
  const { CARD_BUY_LINK_SECRET: buyLinkSecret } = config;
  if (!merchantCode || !secretKey || !buyLinkSecret) return null;
  return {
    merchantCode,
    secretKey,
    buyLinkSecret,
    restUrl: `${config.CARD_API_URL}/rest/6.0`,
    rpcUrl: `${config.CARD_API_URL}/rpc/6.0/`,
    checkoutUrl: 'https://secure.2checkout.com/checkout/buy',
    timeZone: config.CARD_TIME_ZONE,
    /** False: test orders grant nothing. */
    acceptsTests: config.ACCEPT_TEST_PAYMENTS,
  };
};

export type CardSettings = NonNullable<ReturnType<typeof cardSettings>>;
