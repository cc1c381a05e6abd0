/** Every rate limit in one table. Limits that the specification leaves open scale with RATE_LIMIT_SCALE. */

export interface Limit {
  max: number;
  perSeconds: number;
  /** What is counted: one counter per value. */
  by: 'keyAndUser' | 'user' | 'ip' | 'emailAndIp';
  /** False where the specification states the number. */
  scaled: boolean;
  /** Exact limits are counted in the database before the call; the others within 250 ms across replicas. */
  exact: boolean;
}

export const limits = {
  general: { max: 120, perSeconds: 60, by: 'keyAndUser', scaled: true, exact: false },
  login: { max: 10, perSeconds: 900, by: 'emailAndIp', scaled: true, exact: true },
  register: { max: 20, perSeconds: 3600, by: 'ip', scaled: true, exact: true },
  passwordReset: { max: 20, perSeconds: 3600, by: 'ip', scaled: true, exact: true },
  feedback: { max: 5, perSeconds: 3600, by: 'user', scaled: false, exact: true },
  stateChange: { max: 5, perSeconds: 3600, by: 'user', scaled: false, exact: true },
  shareAccept: { max: 10, perSeconds: 3600, by: 'user', scaled: true, exact: true },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
