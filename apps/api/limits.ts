/** Rate limits as data. An operation declares its own; the three here apply to every call. */

/**
 * What is counted. `user` falls back to the address where nobody is logged in; `account` is the account of the
 * email address in this field of the input, so that no spelling of the address has a counter of its own.
 */
export type LimitSubject = 'user' | 'key' | 'ip' | { readonly account: string };

export interface Limit {
  /** Name in the RateLimit headers, unique for what is counted. */
  name: string;
  /** Calls (or bytes) per window. */
  points: number;
  perSeconds: number;
  /** One counter per value, or per combination of values. */
  by: LimitSubject | readonly LimitSubject[];
  /** False where the specification states the number; the others scale with RATE_LIMIT_SCALE. */
  isFixed?: boolean;
  /** Added up in memory and shared every 250 ms: no statement per call. The others are counted in the database. */
  isApproximate?: boolean;
  /** A call that succeeds is given back: only failures use the limit up. */
  isRefundedOnSuccess?: boolean;
}

/** Counted before the body is read. */
export const addressLimit: Limit = {
  name: 'address',
  points: 600,
  perSeconds: 60,
  by: 'ip',
  isApproximate: true,
};

/** Bytes of large bodies that come without a valid token, counted before they are read. */
export const anonymousBytesLimit: Limit = {
  name: 'anonymousBytes',
  points: 16_777_216,
  perSeconds: 60,
  by: 'ip',
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

/** State changes of subscriptions (M-8.16). */
export const stateChangeLimit: Limit = {
  name: 'stateChange',
  points: 5,
  perSeconds: 3600,
  by: 'user',
  isFixed: true,
};
