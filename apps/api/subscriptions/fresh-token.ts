import { addSeconds } from '#domain/time.ts';
import { checkConfirmation, confirmationToken } from '#data/auth/confirmations.ts';
import type { Confirmation } from '#data/auth/confirmations.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { confirmationRepo } from '#data/postgres/subscriptions/confirmations.ts';

/** More changes than anyone is allowed in this time. */
const maxBack = 10;

export interface FreshToken {
  token: string;
  /** When it was issued, in whole seconds. */
  at: Date;
}

/** Tokens of one second are the same, so a used one is replaced by that of the second before. */
export const freshToken = async (
  db: ReadDb,
  safetyCode: string,
  confirmation: Confirmation,
  now: Date,
): Promise<FreshToken> => {
  for (let back = 0; ; back += 1) {
    const at = addSeconds(now, -back);
    const token = confirmationToken(safetyCode, confirmation, at);
    const checked = checkConfirmation(safetyCode, token, confirmation, now);
    const isUsed = checked.problem === null && (await confirmationRepo(db).isUsed(checked.tokenHash));
    if (!isUsed || back === maxBack) return { token, at };
  }
};
