/** Rate limits as data. Operations declare theirs; the ones here apply to every call. */

/**
 * What is counted. `user` falls back to the IP address without a login; `account` is the account of the email
 * address in this field of the input, so that different spellings of the address share one counter.
 */
export type LimitSubject = 'user' | 'key' | 'ip' | { readonly account: string };

export interface Limit {
  /** Name in the RateLimit headers, unique per counter. */
  name: string;
  /** Calls (or bytes) per window. */
  points: number;
  perSeconds: number;
  /** One counter per value, or per combination of values. */
  by: LimitSubject | readonly LimitSubject[];
  /** False where the specification states the number; the others scale with RATE_LIMIT_SCALE. */
  isFixed?: boolean;
  /** Counted in the memory of each process, without a statement per call. The others are counted in the database. */
  isApproximate?: boolean;
  /** Of the last `perSeconds` at any time, not of fixed windows, in which twice as many would fit around their border. */
  isSliding?: boolean;
  /** Every call is counted before its work; one that does not count is given back when its outcome is known. `all` by default. */
  counts?: 'all' | 'failures' | 'successes';
}

/** Counted before the body is read. */
export const addressLimit: Limit = {
  name: 'address',
  points: 600,
  perSeconds: 60,
  by: 'ip',
  isApproximate: true,
};

/** Bytes of large bodies without a valid token, counted before they are read. */
export const anonymousBytesLimit: Limit = {
  name: 'anonymousBytes',
  points: 16_777_216,
  perSeconds: 60,
  by: 'ip',
  isApproximate: true,
};

/** Bytes of large bodies with a valid token, counted before they are read. */
export const userBytesLimit: Limit = {
  name: 'userBytes',
  points: 67_108_864,
  perSeconds: 60,
  by: 'user',
  isApproximate: true,
};

/** Counted per token (user and key) or address, before user and key are looked up (G-27). */
export const generalLimit: Limit = {
  name: 'general',
  points: 120,
  perSeconds: 60,
  by: ['key', 'user'],
  isApproximate: true,
};

/** Keys of calls that must not be repeated, each of which is kept for a day. */
export const idempotencyLimit: Limit = {
  name: 'idempotencyKeys',
  points: 5_000,
  perSeconds: 86_400,
  by: 'user',
  isApproximate: true,
};

/** What a visitor of the calculator at `/try`, who has no account, may call. */
export const guestQueries: ReadonlySet<string> = new Set([
  'performance',
  'weather',
  'airport',
  'aircraft',
  'allowedAircrafts',
]);

/** Calculations of visitors without an account, who share one allowance. */
export const guestCalculationLimit: Limit = {
  name: 'guestCalculations',
  points: 60,
  perSeconds: 3_600,
  by: 'user',
};

/** Accepted state changes of subscriptions, by query and by signed action together (M-8.16). */
export const stateChangeLimit: Limit = {
  name: 'stateChange',
  points: 5,
  perSeconds: 3600,
  by: 'user',
  isFixed: true,
  isSliding: true,
  counts: 'successes',
};

/** Messages of payment gateways, which come in bursts after an outage and from few addresses. */
export const webhookLimit: Limit = {
  name: 'webhook',
  points: 3_000,
  perSeconds: 60,
  by: 'ip',
  isApproximate: true,
};
