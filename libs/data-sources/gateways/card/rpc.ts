/** JSON-RPC 6.0 client of the card gateway, for features missing in REST. */
import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions } from '#domain/subscriptions/gateway.ts';
import { answerError, jsonOf, parsed, send } from '../calls.ts';
import { signedNow } from './rest.ts';
import type { CardParts } from './rest.ts';

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z
    .object({ code: z.union([z.string(), z.number()]).optional(), message: z.string().default('') })
    .nullish(),
});

const post = async (
  { settings, http }: CardParts,
  method: string,
  params: readonly unknown[],
  options: CallOptions,
): Promise<z.output<typeof answerSchema>> => {
  const json = { jsonrpc: '2.0', id: 1, method, params };
  const how = { method: 'POST', json, headers: { accept: 'application/json' } } as const;
  const { statusCode, body } = await send({ gateway: 'card', http }, settings.rpcUrl, how, options);
  if (statusCode >= 300) throw answerError(statusCode, '', 'card');
  return parsed(answerSchema, jsonOf(body, 'card'), 'card');
};

/** Shorter than a session, which lasts 10 minutes. */
const sessionMs = 9 * 60_000;

/** Returns the result. Throws `GatewayError`. */
export type Rpc = (method: string, params: readonly unknown[], options: CallOptions) => Promise<unknown>;

export const createRpc = (parts: CardParts): Rpc => {
  let session: { id: string; untilMs: number } | null = null;

  const login = async (options: CallOptions): Promise<string> => {
    const { date, hash } = signedNow(parts);
    const { result, error } = await post(
      parts,
      'login',
      [parts.settings.merchantCode, date, hash, 'sha3-256'],
      options,
    );
    if (error || typeof result !== 'string')
      throw new GatewayError('unavailable', `The card gateway refused the login: ${error?.message ?? ''}`);
    session = { id: result, untilMs: parts.clock.now().getTime() + sessionMs };
    return result;
  };

  const call: Rpc = async (method, params, options) => {
    const isFresh = session !== null && session.untilMs > parts.clock.now().getTime();
    const id = session !== null && isFresh ? session.id : await login(options);
    const { result, error } = await post(parts, method, [id, ...params], options);
    if (!error) return result;
    const isExpired = /session/i.test(`${error.code ?? ''} ${error.message}`);
    session = isExpired ? null : session;
    // Retries once with a new session; a second refusal is final.
    if (isExpired && isFresh) return call(method, params, options);
    throw new GatewayError('refused', `The card gateway refused ${method}: ${error.message.slice(0, 200)}`);
  };
  return call;
};
