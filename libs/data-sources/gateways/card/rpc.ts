/** JSON-RPC 6.0 client of the card gateway, for features missing in REST. */
import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions } from '#domain/subscriptions/gateway.ts';
import { answerError, jsonOf, parsed, send } from '../calls.ts';
import { signedNow } from './rest.ts';
import type { CardParts } from './rest.ts';

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string().default('') }).nullish(),
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

const noSession = (why: string, cause?: unknown) =>
  new GatewayError('unavailable', `The card gateway refused the login: ${why}`, { cause });

/** The id of a new session, the first parameter of each call. Any failure here means that nothing was done. */
const login = async (parts: CardParts, options: CallOptions): Promise<string> => {
  const { date, hash } = signedNow(parts);
  const params = [parts.settings.merchantCode, date, hash, 'sha3-256'];
  const { result, error } = await post(parts, 'login', params, options).catch((failure: unknown) => {
    throw failure instanceof GatewayError ? noSession(failure.message, failure) : failure;
  });
  if (error || typeof result !== 'string') throw noSession(error?.message ?? '');
  return result;
};

/** Calls a method in a session of its own, as changes are rare. Throws `GatewayError`. */
export const rpc = async (
  parts: CardParts,
  method: string,
  params: readonly unknown[],
  options: CallOptions,
): Promise<void> => {
  const session = await login(parts, options);
  const { error } = await post(parts, method, [session, ...params], options);
  if (!error) return;
  throw new GatewayError('refused', `The card gateway refused ${method}: ${error.message.slice(0, 200)}`);
};
