/**
 * The real API over real HTTP on a separate database:
 *
 *   const api = await testApi();
 *   const key = await api.key({ userInfo: 'FULL', weather: true });
 *   const user = await api.user({ key });                  // registered through the API
 *   const answer = await api.call('refreshUserData', { token: user.token });
 *   afterAll(() => api.close());
 */
import { basename } from 'node:path';
import { expect } from 'vitest';
import { hashOfKey, newDeveloperKey } from '#platform/developer-keys.ts';
import { sql } from '#store/postgres/sql.ts';
import type { SubscriptionTier, UserInfoLevel } from '#domain/users/types.ts';
import type { Operation } from '#api/define.ts';
import { start } from '#api/main.ts';
import type { RunningApi } from '#api/main.ts';
import { loadRegistries, registryOf } from '#api/registry.ts';
import { recordAnswers } from './support/answered.ts';
import { isDeep } from './support/deep.ts';
import { recordCall } from './support/examples.ts';
import { publishedBy } from './support/published.ts';
import { runSql } from './support/sql.ts';
import { testContext } from './harness.ts';
import type { TestContext, TestOptions } from './harness.ts';

export interface CallOptions {
  data?: unknown;
  token?: string;
  /** Sent as `devKey` in the body. */
  devKey?: string;
  headers?: Record<string, string>;
  /** Further fields of the body, next to `query` and `data`. */
  body?: Record<string, unknown>;
}

export interface Answer {
  status: number;
  headers: Headers;
  // Tests inspect answers of any shape; expect() checks what must be present.
  body: Record<string, unknown>;
}

export interface KeyPermissions {
  userInfo?: UserInfoLevel | null;
  weather?: boolean;
  efb?: boolean;
  library?: boolean;
  subscription?: SubscriptionTier | null;
  returnUrlHosts?: readonly string[];
}

export interface TestUser {
  id: number;
  email: string;
  password: string;
  token: string;
}

export interface TestApi {
  url: string;
  context: TestContext;
  running: RunningApi;
  call: (query: string, options?: CallOptions) => Promise<Answer>;
  /** Any request; the path starts with `/`. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** A developer key with these permissions (default: all). */
  key: (permissions?: KeyPermissions) => Promise<string>;
  /** A new user, registered through the API with a FULL key. */
  user: (fields?: Record<string, unknown>) => Promise<TestUser>;
  /** Grants a product for 30 days, as an operator would. */
  grant: (user: TestUser, productCode: string) => Promise<void>;
  close: () => Promise<void>;
}

const all: Required<KeyPermissions> = {
  userInfo: 'FULL',
  weather: true,
  efb: true,
  library: true,
  subscription: 'FULL',
  returnUrlHosts: ['efb.example', 'myefb:'],
};

/** Only tests of the query compare its successes with the published schema, which takes long to compile; for all others, the service validates them itself (VERIFY_ANSWERS). */
const isTestOf = (query: string): boolean =>
  isDeep || basename(expect.getState().testPath ?? '').startsWith(`${query}.`);

/** All of one length within a worker, because names are sorted as text. */
let users = 100_000;

export interface ApiOptions extends TestOptions {
  /** Served in addition to the real ones. */
  operations?: readonly Operation[];
  /** Warms up as a service does, which takes longer than most tests. */
  isWarmedUp?: boolean;
}

export const testApi = async ({
  operations = [],
  isWarmedUp = false,
  ...options
}: ApiOptions = {}): Promise<TestApi> => {
  const context = await testContext({
    ...options,
    env: { RATE_LIMIT_SCALE: '1000', ...options.env },
  });
  const { queries: known } = await loadRegistries();
  const added = operations.map((operation) => ({ ...operation, file: 'test' }));
  const registry = added.length === 0 ? known : registryOf([...known.operations, ...added]);
  const running = await start(context, { registry, isWarmedUp });
  const url = `http://127.0.0.1:${running.port}`;
  const { db } = context.postgres;

  const call = async (
    query: string,
    { data, token, devKey, headers, body }: CallOptions = {},
  ): Promise<Answer> => {
    const response = await fetch(`${url}/api`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({
        query,
        ...(devKey === undefined ? {} : { devKey }),
        ...(data === undefined ? {} : { data }),
        ...body,
      }),
    });
    const answer = (await response.json()) as Answer['body'];
    if (response.status === 200) recordCall(query, data, answer);
    const isChecked = response.status !== 200 || isTestOf(query);
    const problems = isChecked ? (await publishedBy(url)).problems(query, response.status, answer) : [];
    if (problems.length > 0)
      throw new Error(
        `${query} has an answer that it does not publish: ${problems.join('; ')}: ${JSON.stringify(answer).slice(0, 500)}`,
      );
    return { status: response.status, headers: response.headers, body: answer };
  };

  const key = async (permissions: KeyPermissions = all): Promise<string> => {
    const text = newDeveloperKey();
    await runSql(context.postgres)`
      INSERT INTO developer_key (name, key_hash, key_hint, user_info, weather, efb, library, subscription,
        return_url_hosts)
      VALUES ('test', ${hashOfKey(text)}, ${text.slice(-4)}, ${permissions.userInfo ?? null},
        ${permissions.weather ?? false}, ${permissions.efb ?? false}, ${permissions.library ?? false},
        ${permissions.subscription ?? null}, ${[...(permissions.returnUrlHosts ?? [])]})`;
    return text;
  };

  let registerKey: string | undefined;
  const user = async (fields: Record<string, unknown> = {}): Promise<TestUser> => {
    registerKey ??= await key();
    users += 1;
    const email = `pilot${users}.${process.pid}@example.org`;
    const password = 'correct horse battery staple';
    const answer = await call('register', {
      devKey: registerKey,
      data: { email, password, firstname: 'Test', lastname: `Pilot${users}`, ...fields },
    });
    if (answer.status !== 200)
      throw new Error(`register answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    const found = await db.one<{ id: number }>(sql`SELECT id FROM app_user WHERE lower(email) = ${email}`);
    return { id: found.id, email, password, token: String(answer.body['token']) };
  };

  const grant = async (to: TestUser, productCode: string) => {
    const now = context.clock.now();
    await runSql(context.postgres)`
      INSERT INTO subscription (user_id, product_code, starts_at, ends_at)
      VALUES (${to.id}, ${productCode}, ${now}, ${new Date(now.getTime() + 30 * 86_400_000)})`;
  };

  return {
    url,
    context,
    running,
    call,
    fetch: (path, init) => fetch(`${url}${path}`, init),
    key,
    user,
    grant,
    close: async () => {
      await recordAnswers(await running.metrics.answered());
      await running.stop();
    },
  };
};
