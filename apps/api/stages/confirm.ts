import { checkConfirmation } from '#data/auth/confirmations.ts';
import { confirmationWrites } from '#data/postgres/subscriptions/confirmations.ts';
import { isRecord } from '../call.ts';
import type { Call, Stage } from '../call.ts';
import { commonError } from '../errors.ts';

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
