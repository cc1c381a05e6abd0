/** Calls of the signed subscription endpoint, signed with the safety code of the tests. */
import { createHash, createHmac } from 'node:crypto';
import { openApiKey } from '#store/auth/secrets.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { recordExample } from './examples.ts';
import type { Answer, TestApi, TestUser } from '../api.ts';

export const safetyCode = 'test-safety-code-0123456789';

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** Implements the specification a second time, for the tests. */
export const signatureFor = (userId: number, message: string): string =>
  hmac(createHash('sha256').update(`${userId}${safetyCode}`).digest('hex'), message);

export interface TokenParts {
  action: string;
  subscriptionId?: number | null;
  userId: number;
  timestamp: number;
}

export const tokenFor = ({ action, subscriptionId = null, userId, timestamp }: TokenParts): string => {
  const hash = hmac(safetyCode, `${action}_${subscriptionId ?? 'general'}_${timestamp}_${userId}`);
  const parts = { action, subscription_id: subscriptionId, timestamp, user_id: userId, hash };
  return Buffer.from(JSON.stringify(parts)).toString('base64');
};

export interface SignedOptions {
  method?: 'GET' | 'POST';
  /** Parameters of the URL for GET, fields of the body for POST. */
  data?: Record<string, unknown>;
  /** Replaces headers; null leaves one out. */
  headers?: Record<string, string | null>;
}

export interface Signer {
  userId: number;
  apiKey: string;
  call: (action: string, options?: SignedOptions) => Promise<Answer>;
  /** A state change with a new confirmation token. */
  change: (action: string, data?: Record<string, unknown>, options?: SignedOptions) => Promise<Answer>;
  token: (action: string, subscriptionId?: number | null) => string;
}

let tokens = 0;

export const apiKeyOf = async (
  { context }: Pick<TestApi, 'context'>,
  { id }: Pick<TestUser, 'id'>,
): Promise<string> => {
  const stored = await identityRepo(context.postgres.db).byUserId(id);
  const apiKey = openApiKey(stored?.apiKeySealed ?? null, context.config.ENCRYPTION_KEYS);
  if (apiKey === null) throw new Error(`user ${id} has no API key`);
  return apiKey;
};

/** Signs as this user. Tokens differ by the second, so each is issued for another second. */
export const signerOf = async (api: TestApi, user: TestUser): Promise<Signer> => {
  const apiKey = await apiKeyOf(api, user);
  const seconds = () => Math.floor(api.context.clock.now().getTime() / 1_000);

  const call: Signer['call'] = async (action, { method = 'GET', data = {}, headers = {} } = {}) => {
    const timestamp = String(seconds());
    const sent: Record<string, string | null> = {
      'x-api-key': apiKey,
      'x-timestamp': timestamp,
      'x-signature': signatureFor(user.id, `${apiKey}${timestamp}${action}`),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    };
    const query = new URLSearchParams({ action });
    if (method === 'GET') for (const [name, value] of Object.entries(data)) query.set(name, String(value));
    const response = await api.fetch(`/subscription.php?${query}`, {
      method,
      headers: Object.fromEntries(
        Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== null),
      ),
      ...(method === 'POST' ? { body: JSON.stringify(data) } : {}),
    });
    const body = (await response.json()) as Answer['body'];
    if (response.status === 200) recordExample(action, { request: data, response: body });
    return { status: response.status, headers: response.headers, body };
  };

  const token = (action: string, subscriptionId: number | null = null): string => {
    tokens += 1;
    return tokenFor({ action, subscriptionId, userId: user.id, timestamp: seconds() - (tokens % 500) });
  };

  return {
    userId: user.id,
    apiKey,
    call,
    token,
    change: (action, data = {}, options = {}) => {
      const id = typeof data['subscription_id'] === 'number' ? data['subscription_id'] : null;
      const body = { confirmation_token: token(action, id), ...data };
      return call(action, { method: 'POST', ...options, data: body });
    },
  };
};
