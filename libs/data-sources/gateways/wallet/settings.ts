import type { Config } from '#platform/config/config.ts';

export interface WalletSettings {
  /** Null without credentials of the legacy interface. */
  nvp: { url: string; user: string; password: string; signature: string } | null;
  /** Null without credentials of the REST interface. */
  rest: { url: string; clientId: string; clientSecret: string } | null;
  verifyUrl: string;
  /** Notifications must be answered within 30 s, including this confirmation. */
  verifyTimeoutMs: number;
  /** In lower case. */
  receiverEmail: string;
  /** False: test payments grant nothing. */
  acceptsTests: boolean;
}

/** Null without a receiver address, since only payments to it are accepted. */
export const walletSettings = (config: Config): WalletSettings | null => {
  const { WALLET_NVP_USER: user, WALLET_NVP_PASSWORD: password, WALLET_NVP_SIGNATURE: signature } = config;
  const { WALLET_CLIENT_ID: clientId, WALLET_CLIENT_SECRET: clientSecret } = config;
  if (!config.WALLET_RECEIVER_EMAIL) return null;
  return {
    nvp: user && password && signature ? { url: config.WALLET_NVP_URL, user, password, signature } : null,
    rest:
      clientId && clientSecret
        ? { url: config.WALLET_REST_URL.replace(/\/$/, ''), clientId, clientSecret }
        : null,
    verifyUrl: config.WALLET_IPN_VERIFY_URL,
    verifyTimeoutMs: 10_000,
    receiverEmail: config.WALLET_RECEIVER_EMAIL.toLowerCase(),
    acceptsTests: config.ACCEPT_TEST_PAYMENTS,
  };
};
