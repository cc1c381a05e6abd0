/** Legacy interface of the wallet gateway, with name-value pairs in both directions. */
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions } from '#domain/subscriptions/gateway.ts';
import type { Http } from '#platform/http.ts';
import { answerError, send } from '../calls.ts';
import type { WalletSettings } from './settings.ts';

export interface NvpParts {
  http: Http;
  settings: NonNullable<WalletSettings['nvp']>;
}

/** Codes for an unknown profile or transaction. */
const unknownIds: ReadonlySet<string> = new Set(['11552', '10004']);
/** Credential or permission errors: nothing was done, and the other interface may succeed. */
const credentialCodes: ReadonlySet<string> = new Set(['10002', '10007', '10008']);
const internalError = '10001';

const failure = (answer: URLSearchParams): GatewayError => {
  const code = answer.get('L_ERRORCODE0') ?? '';
  const words = answer.get('L_LONGMESSAGE0') ?? answer.get('L_SHORTMESSAGE0') ?? '';
  const outcome = credentialCodes.has(code)
    ? 'unavailable'
    : code === internalError || code === ''
      ? 'unknown'
      : 'refused';
  return new GatewayError(outcome, `The wallet gateway answered ${code}: ${words.slice(0, 200)}`);
};

/** Parsed answer; null for an id that this interface does not know. Throws `GatewayError`. */
export const nvp = async (
  { http, settings }: NvpParts,
  method: string,
  fields: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<URLSearchParams | null> => {
  const { url, user, password, signature } = settings;
  const form = { USER: user, PWD: password, SIGNATURE: signature, VERSION: '204', METHOD: method, ...fields };
  const answer = await send({ gateway: 'wallet', http }, url, { method: 'POST', form }, options);
  if (answer.statusCode >= 300) throw answerError(answer.statusCode, '', 'wallet');
  const found = new URLSearchParams(answer.body);
  const ack = found.get('ACK');
  if (ack === null) throw new GatewayError('unknown', 'The wallet gateway answered in an unknown form.');
  if (ack.startsWith('Success')) return found;
  if (unknownIds.has(found.get('L_ERRORCODE0') ?? '')) return null;
  throw failure(found);
};
