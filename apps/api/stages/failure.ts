import type { Context } from '#data/context.ts';
import { isFromServer } from '#data/postgres/unavailable.ts';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import { ApiError, commonError, declaredError, errorEntry, unavailableOf } from '../errors.ts';
import type { ErrorOptions } from '../errors.ts';
import type { Registered } from '../registry.ts';

/**
 * The message of a domain error is kept; without one the message of the code is used. Of its extra fields only
 * those of the declared schema leave the service.
 */
const fromRule = (error: DomainError, operation: Registered): ApiError | null => {
  const entry = errorEntry(operation.errors, error.code);
  if (!entry) return null;
  const { field, ...given } = error.extra;
  const declared = entry.extra?.safeParse(given);
  // Undeclared or wrong fields are a bug of the rule.
  if (declared?.success === false || (!declared && Object.keys(given).length > 0)) return null;
  const options: ErrorOptions = {
    extra: declared?.data ?? {},
    ...(typeof field === 'string' ? { field } : {}),
    ...(error.message === error.code ? {} : { message: error.message }),
  };
  return new ApiError(error.code, entry, options);
};

/**
 * The error shown to the caller for any failure. A bug is logged and becomes INTERNAL_ERROR without internals.
 */
export const failureOf = (error: unknown, operation: Registered | null, { log }: Context): ApiError => {
  if (error instanceof ApiError) return error;
  const rule = error instanceof DomainError && operation ? fromRule(error, operation) : null;
  if (rule) return rule;
  if (error instanceof GatewayError) {
    log.warn({ err: error, query: operation?.name }, 'payment gateway failed');
    const code = error.outcome === 'refused' ? 'GATEWAY_REFUSED' : 'SERVICE_UNAVAILABLE';
    return commonError(code, { message: error.message });
  }
  if (error instanceof UnavailableError) {
    log.warn({ err: error, query: operation?.name }, 'not available now');
    return unavailableOf(error);
  }
  log.error({ err: error, query: operation?.name }, 'operation failed');
  // Some operations have a code for what the database refuses to store.
  if (
    operation &&
    Object.hasOwn(operation.errors, 'DB_ERROR') &&
    error instanceof Error &&
    isFromServer(error)
  )
    return declaredError(operation.errors, 'DB_ERROR');
  return commonError('INTERNAL_ERROR');
};
