import type { Stage } from '../call.ts';
import { declaredError } from '../errors.ts';
import type { Registry } from '../registry.ts';

export const defaultMaxBodyBytes = 262_144;

/** The most that any of these operations accepts; nothing larger is read. */
export const maxBodyBytesOf = ({ operations }: Pick<Registry, 'operations'>): number =>
  Math.max(...operations.map(({ maxBodyBytes }) => maxBodyBytes ?? 0), defaultMaxBodyBytes);

/** Without a valid token only what the operations accept that need none. */
export const bodyBoundsOf = ({ operations }: Registry): { known: number; anonymous: number } => ({
  known: maxBodyBytesOf({ operations }),
  anonymous: maxBodyBytesOf({ operations: operations.filter(({ auth }) => auth !== 'jwt') }),
});

/** Throws PAYLOAD_TOO_LARGE for a body over the declared size. */
export const checkBodySize: Stage = ({ maxBodyBytes = defaultMaxBodyBytes, errors }, call) => {
  if (call.body.bytes > maxBodyBytes)
    throw declaredError(errors, 'PAYLOAD_TOO_LARGE', {
      message: `The body of this query may have at most ${maxBodyBytes} bytes.`,
    });
};
