import type { Config } from '#platform/config/config.ts';

/** Null without a receiver address, since only payments to it are accepted. */
export const walletSettings = (config: Config) => {
  const { WALLET_NVP_USER: user, WALLET_NVP_PASSWORD: password, WALLET_NVP_SIGNATURE: signature } = config;
  const { WALLET_CLIENT_ID: clientId, WALLET_CLIENT_SECRET: clientSecret } = config;
  if (!config.WALLET_RECEIVER_EMAIL) return null;
  return {
    /** Null without credentials of the legacy interface. */
    nvp: user && password && signature ? { url: config.WALLET_NVP_URL, user, password, signature } : null,
    /** Null without credentials of the REST interface. */
    rest:
      clientId && clientSecret
        ? { url: config.WALLET_REST_URL.replace(/\/$/, ''), clientId, clientSecret }
        : null,
    verifyUrl: config.WALLET_IPN_VERIFY_URL,
    /** Notifications must be answered within 30 s, including this confirmation. */
    verifyTimeoutMs: 10_000,
    /** In lower case. */
    receiverEmail: config.WALLET_RECEIVER_EMAIL.toLowerCase(),
    /** False: test payments grant nothing. */
    acceptsTests: config.ACCEPT_TEST_PAYMENTS,
  };
};

export type WalletSettings = NonNullable<ReturnType<typeof walletSettings>>;
