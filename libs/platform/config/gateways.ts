import { z } from 'zod';
import type { Variable } from './sources.ts';

const httpUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
const textSchema = z.string().min(1).optional();

const secret = (text: string) => ({ schema: textSchema, secret: true, text }) as const satisfies Variable;
const plain = (text: string) => ({ schema: textSchema, text }) as const satisfies Variable;
const switchSchema = z
  .enum(['0', '1', 'true', 'false'], 'must be true or false (or 1 or 0)')
  .default('false')
  .transform((value) => value === '1' || value === 'true');
const url = (preset: string, text: string) =>
  ({ schema: httpUrlSchema.default(preset), text }) as const satisfies Variable;

/** Payment gateways: each is off until its credentials are complete. */
export const gatewayVariables = {
  CARD_MERCHANT_CODE: plain('Merchant code at the card gateway.'),
  CARD_SECRET_KEY: secret('Secret key of the card gateway: signs its messages and the calls of its API.'),
  CARD_BUY_LINK_SECRET: secret('Buy-link secret word of the card gateway; it differs from the secret key.'),
  CARD_API_URL: url('https://api.2checkout.com', 'Interface of the card gateway.'),
  CARD_TIME_ZONE: {
    schema: z
      .string()
      .regex(/^GMT[+-]\d\d:\d\d$/, 'must be like GMT+02:00')
      .default('GMT+02:00'),
    text: 'Time zone of the account at the card gateway.',
  },
  WALLET_NVP_URL: url('https://api-3t.paypal.com/nvp', 'Legacy interface of the wallet gateway.'),
  WALLET_NVP_USER: plain('User of the legacy interface.'),
  WALLET_NVP_PASSWORD: secret('Password of the legacy interface.'),
  WALLET_NVP_SIGNATURE: secret('Signature of the legacy interface.'),
  WALLET_REST_URL: url('https://api-m.paypal.com', 'REST interface of the wallet gateway.'),
  WALLET_CLIENT_ID: plain('OAuth2 client id of the REST interface.'),
  WALLET_CLIENT_SECRET: secret('OAuth2 client secret of the REST interface.'),
  WALLET_IPN_VERIFY_URL: url(
    'https://ipnpb.paypal.com/cgi-bin/webscr',
    'Address that confirms notifications of the wallet gateway.',
  ),
  WALLET_RECEIVER_EMAIL: plain('Account that receives the payments; notifications for others are refused.'),
  STORE_ROOT_CERTS: plain('PEM file with the root certificates of the app store.'),
  STORE_BUNDLE_ID: plain('Bundle id of the app.'),
  STORE_APP_ID: {
    schema: z.coerce.number('must be a number').int().positive().optional(),
    text: 'Id of the app in the app store; required for its production environment.',
  },
  STORE_ENVIRONMENT: {
    // The library's other environments skip signature checks.
    schema: z.enum(['Production', 'Sandbox'], 'must be Production or Sandbox').default('Production'),
    text: 'Environment of the app store: Production or Sandbox, where purchases cost nothing (`ACCEPT_TEST_PAYMENTS`).',
  },
  STORE_API_URL: {
    schema: httpUrlSchema.optional(),
    text: 'App Store Server API. Default: that of `STORE_ENVIRONMENT`.',
  },
  STORE_ISSUER_ID: plain('Issuer id of the App Store Server API.'),
  STORE_KEY_ID: plain('Key id of the App Store Server API.'),
  STORE_PRIVATE_KEY: secret('Private key (PKCS 8 PEM) of the App Store Server API.'),
  GATEWAY_COMPARISON_CALLS: {
    schema: z.coerce.number('must be a number').int().positive().default(1_000),
    text: 'Requests to each gateway in one nightly comparison, without the pages of its list; the next one continues there.',
  },
  ACCEPT_TEST_PAYMENTS: {
    schema: switchSchema,
    setBy: 'Operators of an installation for trials, with a test account at the gateway: `1`.',
    text: 'Test orders of the gateways, which cost nothing, give real access. Never set it where customers are.',
  },
  WEBHOOK_LEGACY_PATHS: {
    schema: z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean)
          .map((part) => part.split('=', 2)),
      )
      .pipe(
        z.array(
          z.tuple(
            [z.string().regex(/^\/\S+$/), z.string().regex(/^\w+\/\w+$/)],
            'must be path=provider/event, comma-separated',
          ),
        ),
      ),
    text: 'Older paths of webhooks, `path=provider/event`, comma-separated: `/ipn.php=2checkout/ipn`.',
  },
} as const satisfies Record<string, Variable>;

/** Variables that a gateway requires together. */
const gatewayGroups = {
  card: ['CARD_MERCHANT_CODE', 'CARD_SECRET_KEY', 'CARD_BUY_LINK_SECRET'],
  'legacy wallet': ['WALLET_NVP_USER', 'WALLET_NVP_PASSWORD', 'WALLET_NVP_SIGNATURE'],
  'REST wallet': ['WALLET_CLIENT_ID', 'WALLET_CLIENT_SECRET'],
  store: ['STORE_ROOT_CERTS', 'STORE_BUNDLE_ID'],
  'store API': ['STORE_ISSUER_ID', 'STORE_KEY_ID', 'STORE_PRIVATE_KEY'],
} as const;

type Values = Readonly<Record<string, unknown>>;

/** Variables that are required once one of others is set. */
const requirements: readonly {
  name: string;
  by: readonly string[];
  isNeeded?: (values: Values) => boolean;
}[] = [
  { name: 'WALLET_RECEIVER_EMAIL', by: ['WALLET_NVP_USER', 'WALLET_CLIENT_ID'] },
  { name: 'STORE_ROOT_CERTS', by: ['STORE_ISSUER_ID'] },
  {
    name: 'STORE_APP_ID',
    by: ['STORE_ROOT_CERTS'],
    isNeeded: (values) => values['STORE_ENVIRONMENT'] === 'Production',
  },
];

/** One line per variable that is missing although others of its group are set. */
export const gatewayProblems = (values: Values): string[] => [
  ...Object.entries(gatewayGroups).flatMap(([kind, names]) => {
    const missing = names.filter((name) => values[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) return [];
    return missing.map((name) => `${name}: is missing (the ${kind} gateway needs ${names.join(', ')})`);
  }),
  ...requirements.flatMap(({ name, by, isNeeded = () => true }) => {
    const cause = by.find((other) => values[other] !== undefined);
    if (values[name] !== undefined || cause === undefined || !isNeeded(values)) return [];
    return [`${name}: is missing (${cause} needs it)`];
  }),
  // Purchases in the app store's sandbox are free.
  ...(values['STORE_ENVIRONMENT'] === 'Sandbox' && values['ACCEPT_TEST_PAYMENTS'] !== true
    ? ['STORE_ENVIRONMENT: Sandbox needs ACCEPT_TEST_PAYMENTS=1, since its purchases cost nothing']
    : []),
];
