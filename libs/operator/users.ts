import { chargedOf, stopRenewals } from '#commands/subscriptions/stop-renewals.ts';
import { disableAccount } from '#commands/users/disable-account.ts';
import { enableAccount } from '#commands/users/enable-account.ts';
import { chargedName } from '#domain/subscriptions/agreement.ts';
import { findUser } from './find.ts';
import { email, flagSwitch } from './flags.ts';
import { operatorVerb } from './verb.ts';

export const keepRenewal = flagSwitch(
  'Leaves subscriptions that renew to their gateway, which goes on charging.',
);

const noticeOf = (cancelled: readonly string[], charged: readonly string[]): string =>
  [
    'The account is disabled.',
    ...(cancelled.length > 0 ? [`Cancelled: ${cancelled.join(', ')}.`] : []),
    ...(charged.length > 0
      ? [`Still charged, since only the customer can cancel: ${charged.join(', ')}.`]
      : []),
  ].join(' ');

export const disableUserVerb = operatorVerb({
  summary: 'Disables an account immediately; its tokens are revoked.',
  flags: { email: email(), 'keep-renewal': keepRenewal },
  run: async ({ postgres, change, clock, queues }, values) => {
    const { id: userId, email: address } = await findUser(postgres.db, values.email);
    const { producer: jobs } = await queues();
    const { cancelled, charged } = await change(async (tx, trail) => {
      await trail.changing('user', userId);
      await disableAccount(tx, { clock }, { userId });
      if (!values['keep-renewal']) return stopRenewals(tx, { clock, jobs, trail }, { userId });
      return { cancelled: [], charged: (await chargedOf(tx, userId)).map(chargedName) };
    });
    const data = { email: address, disabled: true, cancelled, stillCharged: charged };
    return { data, notice: noticeOf(cancelled, charged) };
  },
});

export const enableUserVerb = operatorVerb({
  summary: 'Enables a disabled account.',
  flags: { email: email() },
  run: async ({ postgres, change }, values) => {
    const { id: userId, email: address } = await findUser(postgres.db, values.email);
    await change(async (tx, trail) => {
      await trail.changing('user', userId);
      await enableAccount(tx, {}, { userId });
    });
    return {
      data: { email: address, disabled: false },
      notice: 'The account is enabled; the user has to log in again.',
    };
  },
});
