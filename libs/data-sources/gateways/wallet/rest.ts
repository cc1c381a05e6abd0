/** REST interface of the wallet gateway. */
import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions } from '#domain/subscriptions/gateway.ts';
import type { Clock } from '#domain/time.ts';
import type { Http } from '#platform/http.ts';
import { jsonAnswer, jsonOf, send } from '../calls.ts';
import type { WalletSettings } from './settings.ts';

interface RestParts {
  http: Http;
  clock: Clock;
  settings: NonNullable<WalletSettings['rest']>;
}

interface RestRequest {
  method?: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

/** Returns the JSON of the answer, `{}` if empty; null for 404. Throws `GatewayError`. */
export type WalletRest = (request: RestRequest, options: CallOptions) => Promise<unknown>;

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const problemSchema = z.object({
  name: z.string().default(''),
  details: z.array(z.object({ issue: z.string().default('') })).default([]),
});

/** Tokens are replaced this long before they expire, so that they are still valid on arrival. */
const spareSeconds = 60;

const wordsOf = (json: unknown): string => {
  const found = problemSchema.safeParse(json);
  if (!found.success) return '';
  return [found.data.name, ...found.data.details.map(({ issue }) => issue)].filter(Boolean).join(' ');
};

export const createWalletRest = ({ http, clock, settings }: RestParts): WalletRest => {
  let held: { token: string; untilMs: number } | null = null;

  const request = { gateway: 'wallet', http };

  /** Any failure here means that nothing was done. */
  const unavailable = (what: string, cause?: unknown) =>
    new GatewayError('unavailable', `The wallet gateway gave no token: ${what}`, { cause });

  const login = async (options: CallOptions): Promise<string> => {
    const { clientId, clientSecret, url } = settings;
    let answer;
    try {
      answer = await send(
        request,
        `${url}/v1/oauth2/token`,
        {
          method: 'POST',
          username: clientId,
          password: clientSecret,
          form: { grant_type: 'client_credentials' },
        },
        options,
      );
    } catch (error) {
      throw error instanceof GatewayError ? unavailable(error.message, error) : error;
    }
    if (answer.statusCode !== 200) throw unavailable(`it answered ${answer.statusCode}`);
    const found = tokenSchema.safeParse(jsonOf(answer.body, 'wallet'));
    if (!found.success) throw unavailable('it answered in an unknown form');
    const { access_token: token, expires_in: seconds } = found.data;
    held = { token, untilMs: clock.now().getTime() + (seconds - spareSeconds) * 1_000 };
    return token;
  };

  const call: WalletRest = async (asked, options) => {
    const { method = 'GET', path, query = {}, body } = asked;
    const fresh = held !== null && held.untilMs > clock.now().getTime() ? held.token : null;
    const token = fresh ?? (await login(options));
    const answer = await send(
      request,
      `${settings.url}${path}`,
      {
        method,
        searchParams: query,
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { json: body }),
      },
      options,
    );
    if (answer.statusCode === 401 && fresh !== null) {
      held = null;
      return call(asked, options);
    }
    return jsonAnswer(answer, 'wallet', wordsOf);
  };
  return call;
};
