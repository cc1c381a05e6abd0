import { fieldOf } from '../call.ts';
import type { Call, Stage } from '../call.ts';
import { ApiError, declaredError } from '../errors.ts';
import type { ErrorTable } from '../errors.ts';
import { addressLimit, anonymousBytesLimit, generalLimit, userBytesLimit } from '../limits.ts';
import type { Limit, LimitSubject } from '../limits.ts';
import { networkOf } from '../services/network.ts';

const accountOf = async (call: Call, field: string): Promise<string> => {
  const email = fieldOf(call, field);
  return typeof email === 'string' ? call.tools.identities.accountKey(email) : '-';
};

const valueOf = async (subject: LimitSubject, call: Call): Promise<string> => {
  if (typeof subject === 'object') return `account:${await accountOf(call, subject.account)}`;
  const address = `ip:${networkOf(call.request.ip)}`;
  if (subject === 'ip') return address;
  // Before the lookups, the claims of a signed token identify the user.
  if (subject === 'key') return `key:${call.key?.id ?? call.claims?.developerKeyId ?? '-'}`;
  const userId = call.caller?.userId ?? call.claims?.userId;
  return userId === undefined ? address : `user:${userId}`;
};

/** Counts the call against one limit. Throws RATE_LIMITED with the limit's headers. */
const take = async (limit: Limit, call: Call, errors: ErrorTable, cost = 1): Promise<void> => {
  const subjects = Array.isArray(limit.by) ? limit.by : [limit.by as LimitSubject];
  const values: string[] = [];
  for (const subject of subjects as readonly LimitSubject[]) values.push(await valueOf(subject, call));
  const value = values.join(' ');
  try {
    const { headers, left } = await call.limiter.take(limit, value, cost);
    // Of several limits the caller sees the one that is nearest to its end.
    if (left <= call.limitLeft) {
      Object.assign(call.headers, headers);
      call.limitLeft = left;
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'RATE_LIMITED') throw error;
    throw declaredError(errors, error.code, { headers: error.headers });
  }
  if (limit.isRefundedOnSuccess) call.refunds.push(() => call.limiter.giveBack(limit, value));
};

/** Counted before anything else is done for an address. */
export const countAddress = (call: Call): Promise<void> => take(addressLimit, call, {});

/**
 * Counted before user and key are looked up, so that calls with invalid ones and unknown queries count, too.
 */
export const countGeneral = (call: Call): Promise<void> =>
  take(generalLimit, call, call.operation?.errors ?? {});

/** The limits of the declaration, in its order. */
export const countLimits: Stage = async ({ limits = [], errors }, call) => {
  for (const limit of limits) await take(limit, call, errors);
};

/** Bytes of a large body, before it is read. */
export const countBytes = (call: Call, bytes: number): Promise<void> =>
  take(call.claims ? userBytesLimit : anonymousBytesLimit, call, {}, bytes);

/** Whose call it is before anything is looked up: the user of a signed token, or the address. */
export const clientOf = (call: Call): Promise<string> => valueOf('user', call);
