import { addSeconds } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import { checkConfirmation, confirmationToken, issueTime } from '#data/auth/confirmations.ts';
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
  safetyCodes: readonly string[],
  confirmation: Confirmation & Pick<Caller, 'credentialsFrom'>,
  now: Date,
): Promise<FreshToken> => {
  for (let back = 0; ; back += 1) {
    const at = addSeconds(issueTime(now, confirmation), -back);
    const token = confirmationToken(safetyCodes[0] ?? '', confirmation, at);
    const checked = checkConfirmation(safetyCodes, token, confirmation, now);
    const isUsed = checked.problem === null && (await confirmationRepo(db).isUsed(checked.tokenHash));
    // A token of before the last change of the password would be refused.
    if (!isUsed || back === maxBack || addSeconds(at, -1) < confirmation.credentialsFrom)
      return { token, at };
  }
};
