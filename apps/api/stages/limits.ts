import type { Stage, Call } from '../call.ts';
import { commonError, declaredError, worded } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import type { Registered, Registry } from '../registry.ts';
import { fieldOf } from '../call.ts';
import {
  addressLimit,
  anonymousBytesLimit,
  generalLimit,
  guestCalculationLimit,
  userBytesLimit,
} from '../limits.ts';
import type { Limit, LimitSubject } from '../limits.ts';
import { isRefusal, networkOf } from '../services/rate-limiter.ts';

export const defaultMaxBodyBytes = 262_144;

/** The largest body that any of these operations accepts. */
export const maxBodyBytesOf = ({ operations }: Pick<Registry, 'operations'>): number =>
  Math.max(...operations.map(({ maxBodyBytes }) => maxBodyBytes ?? 0), defaultMaxBodyBytes);

/** The error for a large body, in the form and words of the operation; null: the operation is unknown. */
export const bodyTooLarge = (operation: Registered | null, maxBytes: number): ApiError => {
  if (operation === null)
    return commonError('PAYLOAD_TOO_LARGE', {
      message: `A body may have at most ${maxBytes} bytes before its query is known.`,
      hint: 'send the token of a user, and begin the body with {"query":"<name>"',
    });
  const { errors } = operation;
  const message = `The body of this query may have at most ${maxBytes} bytes.`;
  return declaredError(errors, 'PAYLOAD_TOO_LARGE', worded(errors, 'PAYLOAD_TOO_LARGE', message));
};

/** Throws PAYLOAD_TOO_LARGE for a body over the declared size. */
export const checkBodySize: Stage = (operation, call) => {
  const { maxBodyBytes = defaultMaxBodyBytes } = operation;
  if (call.body.bytes > maxBodyBytes) throw bodyTooLarge(operation, maxBodyBytes);
};

const accountOf = async (call: Call, field: string): Promise<string> => {
  const email = fieldOf(call, field);
  return `account:${typeof email === 'string' ? await call.tools.identities.accountKey(email) : '-'}`;
};

const valueOf = (subject: Exclude<LimitSubject, object>, call: Call): string => {
  // Before the lookup, the claims of a verified token identify the user.
  if (subject === 'key') return `key:${call.key?.id ?? call.claims?.developerKeyId ?? '-'}`;
  // Guests share an account, so their network identifies them.
  if (subject === 'user' && call.claims?.isGuest) return `guest:${networkOf(call.request.ip)}`;
  const userId = subject === 'user' ? (call.caller?.userId ?? call.claims?.userId) : undefined;
  return userId === undefined ? `ip:${networkOf(call.request.ip)}` : `user:${userId}`;
};

/** The value whose calls are counted together: an address, a user, an account. */
const valuesOf = async ({ by }: Limit, call: Call): Promise<string> => {
  const values: string[] = [];
  for (const subject of [by].flat() as readonly LimitSubject[])
    values.push(
      typeof subject === 'object' ? await accountOf(call, subject.account) : valueOf(subject, call),
    );
  return values.join(' ');
};

/** Counts the call against one limit. Throws RATE_LIMITED with its headers, and the operation's message if it is known. */
export const countOne = async (limit: Limit, call: Call, cost?: number): Promise<void> => {
  try {
    const taken = await call.tools.rateLimiter.take(limit, await valuesOf(limit, call), cost);
    // The caller is shown the limit with the smallest share left.
    if (taken.left <= (call.tightest?.left ?? 1)) call.tightest = taken;
    call.outcomeHandlers.push(taken.adjust);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw declaredError(call.operation?.errors ?? {}, error.code, { headers: error.headers });
  }
};

/** Counts the call against the limit of its address, before any other work. */
export const countAddress = (call: Call): Promise<void> => countOne(addressLimit, call);

/** Runs before user and key are looked up, so that invalid ones and unknown queries count, too. */
export const countGeneral = (call: Call): Promise<void> => countOne(generalLimit, call);

/** The declared limits, in their order. */
export const countLimits: Stage = async ({ limits = [], isCalculation }, call) => {
  for (const limit of limits) await countOne(limit, call);
  if (call.claims?.isGuest && isCalculation) await countOne(guestCalculationLimit, call);
};

/** Counts the bytes of a large body. */
export const countBytes = (call: Call, bytes: number): Promise<void> =>
  countOne(call.claims ? userBytesLimit : anonymousBytesLimit, call, bytes);

/** Identifies the client before any lookup: the user of a verified token, or the address. */
export const clientOf = (call: Call): string => valueOf('user', call);
