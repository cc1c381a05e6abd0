import type { Call } from '../call.ts';
import { commonError, commonErrors } from '../errors.ts';
import type { Registered, Registry } from '../registry.ts';

/**
 * The operation with this name or alias. Throws MISSING_QUERY or UNKNOWN_QUERY with the nearest known names.
 */
export const resolve = (registry: Registry, name: unknown): Registered => {
  if (typeof name !== 'string' || name === '') throw commonError('MISSING_QUERY');
  const operation = registry.find(name);
  if (operation) return operation;
  const nearest = registry.nearest(name);
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : '';
  throw commonError('UNKNOWN_QUERY', {
    message: commonErrors.UNKNOWN_QUERY.message + hint,
    extra: { nearest },
  });
};

/** The operation named by the call, or null: its error must wait until the call has been counted. */
export const peek = (registry: Registry, name: unknown): Registered | null =>
  (typeof name === 'string' && registry.find(name)) || null;

export type NameOf = (call: Call) => unknown;

/** In the main interface the body names the operation. */
export const queryName: NameOf = (call) => call.body.fields['query'];
