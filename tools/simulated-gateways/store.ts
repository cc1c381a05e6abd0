/** A local app store: its certificate authority, signed notifications and server API, for tests and the demo. */
import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pemOf } from './certificates.ts';
import { json, startGatewayServer } from './server.ts';
import type { GatewayAnswer, GatewayMode, GatewayRequest } from './server.ts';
import { renewalOf, signedData, signedPayload, storeChain, transactionOf } from './store-messages.ts';
import type { StoreApp, StoreChain, StoreMessage, StorePurchase } from './store-messages.ts';

export interface SimulatedStore {
  readonly origin: string;
  /** Environment variables that point the service at this gateway. */
  readonly variables: Readonly<Record<string, string>>;
  readonly requests: readonly GatewayRequest[];
  readonly chain: StoreChain;
  readonly app: StoreApp;
  setMode: (mode: GatewayMode) => Promise<void>;
  /** The body of a notification; it is added to the history, and its purchase becomes the subscription's newest. */
  notification: (message: StoreMessage) => string;
  close: () => Promise<void>;
}

const keyId = 'SIMULATED1';
const issuerId = '57246542-96fe-1a63-e053-0824d011072a';
const pageSize = 20;

export const startSimulatedStore = async (options: { slowMs?: number } = {}): Promise<SimulatedStore> => {
  const chain = storeChain();
  const app: StoreApp = { bundleId: 'example.simulated.efb', appAppleId: 1_234, environment: 'Production' };
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const history: { at: Date; signedPayload: string }[] = [];
  const newest = new Map<string, { purchase: StorePurchase; status: number; at: Date }>();

  const isSigned = ({ headers }: GatewayRequest): boolean => {
    const [header = '', payload = '', signature = ''] = String(headers.authorization)
      .replace('Bearer ', '')
      .split('.');
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const content = Buffer.from(`${header}.${payload}`);
    if (!verify('sha256', content, key, Buffer.from(signature, 'base64url'))) return false;
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    return (
      claims['aud'] === 'appstoreconnect-v1' && claims['bid'] === app.bundleId && claims['iss'] === issuerId
    );
  };

  const statuses = (transactionId: string): GatewayAnswer => {
    const found = [...newest.values()].filter(({ purchase }) =>
      [purchase.reference, purchase.transactionId].includes(transactionId),
    );
    if (found.length === 0) return json({ errorCode: 4_040_010 }, 404);
    const lastTransactions = found.map(({ purchase, status, at }) => ({
      originalTransactionId: purchase.reference,
      status,
      signedTransactionInfo: signedData(chain, transactionOf(purchase, at, app)),
      signedRenewalInfo: signedData(chain, renewalOf(purchase, at, app)),
    }));
    return json({ data: [{ subscriptionGroupIdentifier: 'efb', lastTransactions }] });
  };

  const page = ({ body, query }: GatewayRequest): GatewayAnswer => {
    const { startDate, endDate } = JSON.parse(body) as { startDate: number; endDate: number };
    const all = history.filter(({ at }) => at.getTime() >= startDate && at.getTime() <= endDate);
    const start = Number(query.get('paginationToken') ?? 0);
    const end = start + pageSize;
    const notificationHistory = all
      .slice(start, end)
      .map((entry) => ({ signedPayload: entry.signedPayload }));
    return json({ notificationHistory, hasMore: end < all.length, paginationToken: String(end) });
  };

  const server = await startGatewayServer((request) => {
    if (!isSigned(request)) return json({}, 401);
    const status = /^\/inApps\/v1\/subscriptions\/(\d+)$/.exec(request.path);
    if (status) return statuses(status[1] ?? '');
    return request.path === '/inApps/v1/notifications/history' ? page(request) : json({}, 404);
  }, options);
  const folder = await mkdtemp(join(tmpdir(), 'simulated-store-'));
  const roots = join(folder, 'roots.pem');
  await writeFile(roots, pemOf(chain.root));

  return {
    ...server,
    variables: {
      STORE_ROOT_CERTS: roots,
      STORE_BUNDLE_ID: app.bundleId,
      STORE_APP_ID: String(app.appAppleId),
      STORE_ENVIRONMENT: app.environment,
      STORE_API_URL: server.origin,
      STORE_ISSUER_ID: issuerId,
      STORE_KEY_ID: keyId,
      STORE_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
    chain,
    app,
    notification: (message) => {
      const { purchase, status = 1, at } = message;
      if (purchase && (newest.get(purchase.reference)?.at ?? at) <= at)
        newest.set(purchase.reference, { purchase, status, at });
      const payload = signedPayload(chain, message, app);
      history.push({ at, signedPayload: payload });
      return JSON.stringify({ signedPayload: payload });
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
