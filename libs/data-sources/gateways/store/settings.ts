import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from '#platform/config/config.ts';
import type { Config } from '#platform/config/config.ts';

const apiUrls = {
  Production: 'https://api.storekit.apple.com',
  Sandbox: 'https://api.storekit-sandbox.apple.com',
} as const;

const causeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';

/** As DER. */
const rootsOf = (path: string): Buffer[] => {
  let found: Buffer[];
  try {
    const pem = readFileSync(path, 'latin1');
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    found = blocks.map((block) => new X509Certificate(block).raw);
  } catch (error) {
    throw new ConfigError([`STORE_ROOT_CERTS: cannot be read (${causeOf(error)})`]);
  }
  if (found.length === 0) throw new ConfigError(['STORE_ROOT_CERTS: has no certificate']);
  return found;
};

/** Accepts line ends written as `\n`, since many tools keep variables on one line. */
const privateKeyOf = (pem: string): KeyObject => {
  try {
    return createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch {
    // The original error may quote the key.
    throw new ConfigError(['STORE_PRIVATE_KEY: is not a private key in PEM']);
  }
};

/** Null without certificates and bundle id. Throws `ConfigError` for unreadable certificates or keys. */
export const storeSettings = (config: Config) => {
  const { STORE_ROOT_CERTS: path, STORE_BUNDLE_ID: bundleId, STORE_ENVIRONMENT: environment } = config;
  const { STORE_ISSUER_ID: issuerId, STORE_KEY_ID: keyId, STORE_PRIVATE_KEY: key } = config;
  if (!path || !bundleId) return null;
  const url = (config.STORE_API_URL ?? apiUrls[environment]).replace(/\/$/, '');
  return {
    roots: rootsOf(path),
    bundleId,
    /** Required by the store's library in production. */
    appId: config.STORE_APP_ID,
    environment,
    /** Null without credentials of the App Store Server API. */
    api: issuerId && keyId && key ? { url, issuerId, keyId, privateKey: privateKeyOf(key) } : null,
  };
};

export type StoreSettings = NonNullable<ReturnType<typeof storeSettings>>;
