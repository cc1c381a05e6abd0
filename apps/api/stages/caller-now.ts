import type { Caller } from '#domain/users/types.ts';
import type { Call, Stage } from '../call.ts';
import { declaredError } from '../errors.ts';
import { authenticate, checkDeveloperKey } from './authenticate.ts';

/** Throws SUBSCRIPTION_LEVEL_REQUIRED for a caller below the declared level. */
const checkLevel: Stage = ({ level = 0, errors }, call) => {
  if ((call.caller?.entitlement.level ?? 0) >= level) return;
  throw declaredError(errors, 'SUBSCRIPTION_LEVEL_REQUIRED', { extra: { requiredLevel: level } });
};

/** Finds user and developer key, read anew, and checks whether they may make this call. */
export const checkCaller: Stage = async (operation, call) => {
  call.credentials = null;
  await authenticate(operation, call);
  await checkDeveloperKey(operation, call);
  await checkLevel(operation, call);
};

/** Who makes the call now; whatever has waited asks again before it goes on. Throws what the call would be refused with now. */
export const callerNow = async (call: Call): Promise<Caller | null> => {
  if (call.operation) await checkCaller(call.operation, call);
  return call.caller;
};
