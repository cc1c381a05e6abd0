import type { Call } from '../call.ts';
import { commonError, commonErrors } from '../errors.ts';
import type { CommonCode } from '../errors.ts';
import type { Registered, Registry } from '../registry.ts';

/**
 * The operation with this name or alias. Throws the error for a missing or an unknown name, with the nearest known.
 */
export const resolve = (registry: Registry, name: unknown, { missing, unknown }: Naming): Registered => {
  if (typeof name !== 'string' || name === '')
    throw commonError(missing, missing === 'UNKNOWN_ACTION' ? { extra: { nearest: [] } } : {});
  const operation = registry.find(name);
  if (operation) return operation;
  const nearest = registry.nearest(name);
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : '';
  throw commonError(unknown, {
    message: commonErrors[unknown].message + hint,
    extra: { nearest },
  });
};

/** The operation named by the call, or null: its error must wait until the call has been counted. */
export const peek = (registry: Registry, name: unknown): Registered | null =>
  (typeof name === 'string' && registry.find(name)) || null;

/** How the calls of one entry point name their operation. */
export interface Naming {
  nameOf: (call: Call) => unknown;
  missing: CommonCode;
  unknown: CommonCode;
  /** Calls are not counted against the general limit of users and addresses. */
  isUncounted?: boolean;
}

/** In the main interface the body names the operation. */
export const byQuery: Naming = {
  nameOf: (call) => call.body.fields['query'],
  missing: 'MISSING_QUERY',
  unknown: 'UNKNOWN_QUERY',
};

/** At the signed endpoint the URL names the action. */
export const byAction: Naming = {
  nameOf: ({ request }) => request.parameters?.['action'],
  missing: 'UNKNOWN_ACTION',
  unknown: 'UNKNOWN_ACTION',
};

/** A webhook has its own path; gateways send in bursts, so they have a separate limit. */
export const byPath: Naming = {
  nameOf: ({ request }) => request.parameters?.['webhook'],
  missing: 'NOT_FOUND',
  unknown: 'NOT_FOUND',
  isUncounted: true,
};
