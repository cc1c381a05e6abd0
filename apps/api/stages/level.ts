import type { Stage } from '../call.ts';
import { declaredError } from '../errors.ts';

/** Throws SUBSCRIPTION_LEVEL_REQUIRED for a caller below the declared level. */
export const checkLevel: Stage = ({ level = 0, errors }, call) => {
  if ((call.caller?.entitlement.level ?? 0) >= level) return;
  throw declaredError(errors, 'SUBSCRIPTION_LEVEL_REQUIRED', { extra: { requiredLevel: level } });
};
