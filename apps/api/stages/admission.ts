/** What a declaration rules out before anything is read. */
import type { Stage } from '../call.ts';
import { declaredError } from '../errors.ts';

/** Throws METHOD_NOT_ALLOWED for an action that is called with the other method. */
export const checkMethod: Stage = ({ method, errors }, { request }) => {
  if (method === undefined || method === (request.method ?? 'POST')) return;
  throw declaredError(errors, 'METHOD_NOT_ALLOWED', {
    message: `Only ${method} is allowed for this action.`,
    headers: { Allow: method },
  });
};

/** Throws SUBSCRIPTION_LEVEL_REQUIRED for a caller below the declared level. */
export const checkLevel: Stage = ({ level = 0, errors }, call) => {
  if ((call.caller?.entitlement.level ?? 0) >= level) return;
  throw declaredError(errors, 'SUBSCRIPTION_LEVEL_REQUIRED', { extra: { requiredLevel: level } });
};

/** Throws UNEXPECTED_FILE when the operation declares no upload. For calls with a file. */
export const acceptFile: Stage = ({ upload, errors }, call) => {
  if (call.bringsFile && !upload) throw declaredError(errors, 'UNEXPECTED_FILE');
};
