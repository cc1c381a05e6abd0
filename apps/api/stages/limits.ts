import { fieldOf } from '../call.ts';
import type { Call, Stage, Waiting } from '../call.ts';
import { ApiError, declaredError } from '../errors.ts';
import type { ErrorTable } from '../errors.ts';
import { addressLimit, anonymousBytesLimit, generalLimit, userBytesLimit } from '../limits.ts';
import type { Limit, LimitSubject } from '../limits.ts';
import type { Taken } from '../services/rate-limiter.ts';
import { networkOf } from '../services/network.ts';

const accountOf = async (call: Call, field: string): Promise<string> => {
  const email = fieldOf(call, field);
  return `account:${typeof email === 'string' ? await call.tools.identities.accountKey(email) : '-'}`;
};

const valueOf = (subject: Exclude<LimitSubject, object>, call: Call): string => {
  // Before the lookups, the claims of a signed token identify the user.
  if (subject === 'key') return `key:${call.key?.id ?? call.claims?.developerKeyId ?? '-'}`;
  // Guests share an account, so each is known by the network.
  if (subject === 'user' && call.claims?.isGuest) return `guest:${networkOf(call.request.ip)}`;
  const userId = subject === 'user' ? (call.caller?.userId ?? call.claims?.userId) : undefined;
  return userId === undefined ? `ip:${networkOf(call.request.ip)}` : `user:${userId}`;
};

const subjectsOf = ({ by }: Limit): readonly LimitSubject[] =>
  Array.isArray(by) ? (by as readonly LimitSubject[]) : [by as LimitSubject];

/** The value that is counted where nothing has to be looked up. */
const known = (limit: Limit, call: Call): string =>
  subjectsOf(limit)
    .map((subject) => (typeof subject === 'object' ? '-' : valueOf(subject, call)))
    .join(' ');

const hasAccount = (limit: Limit): boolean =>
  subjectsOf(limit).some((subject) => typeof subject === 'object');

/** The value that is counted where accounts are looked up. */
const lookedUp = async (limit: Limit, call: Call): Promise<string> => {
  const values: string[] = [];
  for (const subject of subjectsOf(limit))
    values.push(
      typeof subject === 'object' ? await accountOf(call, subject.account) : valueOf(subject, call),
    );
  return values.join(' ');
};

/** Of several limits the caller sees the one that is nearest to its end. */
const show = (call: Call, taken: Taken): void => {
  if (taken.left <= (call.tightest?.left ?? 1)) call.tightest = taken;
};

const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'RATE_LIMITED';

const refusal = (error: unknown, errors: ErrorTable): unknown =>
  isRefusal(error) ? declaredError(errors, error.code, { headers: error.headers }) : error;

const takeLater = async (limit: Limit, call: Call, errors: ErrorTable): Promise<void> => {
  const value = await lookedUp(limit, call);
  const takenAt = call.tools.clock.now();
  const giveBack = () => call.limiter.giveBack(limit, value, takenAt);
  try {
    if (limit.isCountedOnFailure) {
      show(call, await call.limiter.check(limit, value));
      call.failureRefunds.push(() => call.limiter.count(limit, value));
    } else show(call, await call.limiter.take(limit, value));
  } catch (error) {
    // A refused call was counted, one whose counter could not be reached was not.
    if (limit.isRefundedOnFailure && isRefusal(error)) call.failureRefunds.push(giveBack);
    throw refusal(error, errors);
  }
  if (limit.isRefundedOnFailure) call.failureRefunds.push(giveBack);
  if (limit.isRefundedOnSuccess) call.refunds.push(giveBack);
};

/** Counts the call against one limit. Throws RATE_LIMITED with the limit's headers. */
const take = (limit: Limit, call: Call, errors: ErrorTable): Waiting => {
  const isSettledLater =
    limit.isRefundedOnSuccess === true ||
    limit.isRefundedOnFailure === true ||
    limit.isCountedOnFailure === true;
  const isLocal = limit.isApproximate === true && !isSettledLater && !hasAccount(limit);
  if (!isLocal) return takeLater(limit, call, errors);
  try {
    show(call, call.limiter.takeLocally(limit, known(limit, call)));
  } catch (error) {
    throw refusal(error, errors);
  }
};

/** Counted before anything else is done for an address. */
export const countAddress = (call: Call): Waiting => take(addressLimit, call, {});

/**
 * Counted before user and key are looked up, so that calls with invalid ones and unknown queries count, too.
 */
export const countGeneral = (call: Call): Waiting => take(generalLimit, call, call.operation?.errors ?? {});

/** One more limit, of a call that is admitted. */
export const countOne = async (limit: Limit, call: Call): Promise<void> => {
  await take(limit, call, call.operation?.errors ?? {});
};

const countEach = async (limits: readonly Limit[], call: Call, errors: ErrorTable): Promise<void> => {
  for (const limit of limits) await take(limit, call, errors);
};

/** The limits of the declaration, in its order. */
export const countLimits: Stage = ({ limits = [], guestLimits = [], errors }, call) => {
  const all = call.claims?.isGuest ? [...limits, ...guestLimits] : limits;
  return all.length > 0 ? countEach(all, call, errors) : undefined;
};

/** Bytes of a large body, before they are read where they are announced. */
export const countBytes = (call: Call, bytes: number): void => {
  const limit = call.claims ? userBytesLimit : anonymousBytesLimit;
  show(call, call.limiter.takeLocally(limit, known(limit, call), bytes));
};

/** Whose call it is before anything is looked up: the user of a signed token, or the address. */
export const clientOf = (call: Call): string => valueOf('user', call);
