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
  /** One counter per value or combination of values. */
  by: LimitSubject | readonly LimitSubject[];
  /** True if the specification states the number; the others scale with RATE_LIMIT_SCALE. */
  isFixed?: boolean;
  /** Counted in the memory of each process instead of the database, which saves a statement per call. */
  isApproximate?: boolean;
  /** A sliding window; a fixed one would let twice as many through around its border. */
  isSliding?: boolean;
  /**
   * Every call is counted before its work and refunded once its outcome shows that it does not count. `all` by default.
   */
  counts?: 'all' | 'failures' | 'successes';
}

/** A limit per minute that each process counts. */
export const perMinute = (name: string, points: number, by: Limit['by']): Limit => ({
  name,
  points,
  perSeconds: 60,
  by,
  isApproximate: true,
});

/** Counted before the body is read. */
export const addressLimit = perMinute('address', 600, 'ip');

/** Bytes of large bodies without a valid token, counted before they are read. */
export const anonymousBytesLimit = perMinute('anonymousBytes', 16_777_216, 'ip');

/** Bytes of large bodies with a valid token, counted before they are read. */
export const userBytesLimit = perMinute('userBytes', 67_108_864, 'user');

/** Counted per token (user and key) or address, before user and key are looked up (G-27). */
export const generalLimit = perMinute('general', 120, ['key', 'user']);

/** Idempotency keys, each of which is stored for a day. */
export const idempotencyLimit: Limit = {
  name: 'idempotencyKeys',
  points: 5_000,
  perSeconds: 86_400,
  by: 'user',
  isApproximate: true,
};

/** What visitors without an account may call from the calculator at `/try`. */
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

/** State changes of subscriptions, by query or signed action (M-8.16). */
export const stateChangeLimit: Limit = {
  name: 'stateChange',
  points: 5,
  perSeconds: 3600,
  by: 'user',
  isFixed: true,
  isSliding: true,
  counts: 'successes',
};

/** Messages from payment gateways, which come in bursts after an outage and from few addresses. */
export const webhookLimit = perMinute('webhook', 3_000, 'ip');
