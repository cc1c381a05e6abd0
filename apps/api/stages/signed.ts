/** Signed actions: whose they are, and the confirmation of those that change something. */
import type { Caller } from '#domain/users/types.ts';
import {
  callSignature,
  checkConfirmation,
  isSameText,
  timestampToleranceSeconds,
} from '#data/auth/confirmations.ts';
import { confirmationWrites } from '#data/postgres/subscriptions/confirmations.ts';
import { headerOf, isRecord } from '../call.ts';
import type { Call, Stage } from '../call.ts';
import { commonError } from '../errors.ts';

const required = (call: Call, name: string): string => {
  const value = headerOf(call, name.toLowerCase());
  if (value === undefined || value === '') throw commonError('MISSING_HEADER', { field: name });
  return value;
};

/**
 * The user of a signed call (M-4.8.e2 to M-4.8.e7). Throws MISSING_HEADER, TIMESTAMP_OUT_OF_RANGE, INVALID_API_KEY and
 * INVALID_SIGNATURE.
 */
export const signedCaller = async (call: Call): Promise<Caller> => {
  const apiKey = required(call, 'X-API-Key');
  const timestamp = required(call, 'X-Timestamp');
  const signature = required(call, 'X-Signature');
  const { clock, config, identities } = call.tools;
  const ageSeconds = /^\d{1,12}$/.test(timestamp)
    ? Math.floor(clock.now().getTime() / 1_000) - Number(timestamp)
    : Infinity;
  if (Math.abs(ageSeconds) > timestampToleranceSeconds) throw commonError('TIMESTAMP_OUT_OF_RANGE');
  const caller = apiKey.length <= 200 ? await identities.byApiKey(apiKey) : null;
  if (!caller) throw commonError('INVALID_API_KEY');
  const action = call.operation?.name ?? '';
  const signed = { userId: caller.userId, apiKey, timestamp, action };
  if (!config.SAFETY_CODE.some((code) => isSameText(signature, callSignature(code, signed))))
    throw commonError('INVALID_SIGNATURE');
  // Signed before the password was changed.
  if (Number(timestamp) * 1_000 < caller.credentialsFrom.getTime())
    throw commonError('INVALID_SIGNATURE', { message: 'This was signed before the password was changed.' });
  return caller;
};

const subscriptionIdOf = ({ data }: Call): number | null =>
  isRecord(data) && typeof data['subscription_id'] === 'number' ? data['subscription_id'] : null;

/**
 * Checks the confirmation token of a state-changing action and uses it up (M-4.8.k1 to M-4.8.k5); an action that is
 * refused afterwards leaves it unused. Of two calls with one token only one passes.
 */
export const confirm: Stage = async ({ changesState, name }, call) => {
  if (changesState !== true || !call.caller) return;
  const token = call.body.fields['confirmation_token'];
  if (typeof token !== 'string' || token === '') throw commonError('CONFIRMATION_REQUIRED');
  const { userId, credentialsFrom } = call.caller;
  const { single } = call;
  const { config, clock } = call.tools;
  const expected = { action: name, subscriptionId: subscriptionIdOf(call), userId, credentialsFrom };
  const checked = checkConfirmation(config.SAFETY_CODE, token, expected, clock.now());
  if (checked.problem !== null)
    throw commonError(checked.problem === 'expired' ? 'CONFIRMATION_EXPIRED' : 'CONFIRMATION_INVALID');
  const { tokenHash, expiresAt } = checked;
  if (!(await single((tx) => confirmationWrites(tx).use(tokenHash, userId, expiresAt))))
    throw commonError('CONFIRMATION_USED');
  call.settlements.push(async (succeeded) => {
    if (!succeeded) await single((tx) => confirmationWrites(tx).release(tokenHash));
  });
};
