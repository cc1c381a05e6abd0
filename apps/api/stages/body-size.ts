import type { Stage } from '../call.ts';
import { commonError, declaredError } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import type { Registered, Registry } from '../registry.ts';

export const defaultMaxBodyBytes = 262_144;

/** The most that any of these operations accepts. */
export const maxBodyBytesOf = ({ operations }: Pick<Registry, 'operations'>): number =>
  Math.max(...operations.map(({ maxBodyBytes }) => maxBodyBytes ?? 0), defaultMaxBodyBytes);

/** In the form of the operation, with its own message if it has one; null: it is not known. */
export const bodyTooLarge = (operation: Registered | null, maxBytes: number): ApiError => {
  if (operation === null)
    return commonError('PAYLOAD_TOO_LARGE', {
      message: `A body may have at most ${maxBytes} bytes before its query is known.`,
      hint: 'send the token of a user, and begin the body with {"query":"<name>"',
    });
  const { errors } = operation;
  const hasOwnMessage = typeof errors['PAYLOAD_TOO_LARGE'] === 'object';
  const message = `The body of this query may have at most ${maxBytes} bytes.`;
  return declaredError(errors, 'PAYLOAD_TOO_LARGE', hasOwnMessage ? {} : { message });
};

/** Throws PAYLOAD_TOO_LARGE for a body over the declared size. */
export const checkBodySize: Stage = (operation, call) => {
  const { maxBodyBytes = defaultMaxBodyBytes } = operation;
  if (call.body.bytes > maxBodyBytes) throw bodyTooLarge(operation, maxBodyBytes);
};
