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
