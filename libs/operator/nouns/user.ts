import { claimPurchases } from '#commands/subscriptions/messages.ts';
import { z } from 'zod';
import { ranks } from '#domain/users/fields.ts';
import { maxNameLength, nameField } from '#domain/users/names.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { openApiKey } from '#store/auth/secrets.ts';
import { passwords } from '#store/auth/passwords.ts';
import { allowanceRepo } from '#store/postgres/subscriptions/allowances.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { emailProofWrites } from '#store/postgres/users/email-proofs.ts';
import { userProfileRepo } from '#store/postgres/users/profiles.ts';
import { vaRepo } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { userRepo, userWrites } from '#store/postgres/users/users.ts';
import { canBeCancelledHere, chargedName } from '#domain/subscriptions/agreement.ts';
import { chargedOf, stopRenewals } from '#commands/subscriptions/by-operator.ts';
import type { Deps } from '#commands/deps.ts';
import type { StoppedRenewals } from '#commands/subscriptions/by-operator.ts';
import { createAccount, deleteAccount, disableAccount } from '#commands/users/accounts.ts';
import { rotateApiKey } from '#commands/users/credentials.ts';
import { subscriptionRepo } from '#store/postgres/subscriptions/subscriptions.ts';
import type { ListedUser } from '#store/postgres/users/users.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { DomainError } from '#domain/errors.ts';
import { byEmail, findUser } from '../find.ts';
import { email, flagSwitch, maybe, maybeText, oneOf, paging } from '../flags.ts';
import type { Trail } from '../audited.ts';
import { creating, found, verb, view } from '../verb.ts';
import type { Answer, Flag, Noun, OperatorTools, ViewTools } from '../verb.ts';
import { gift, grant, subscriptionRow } from './subscription.ts';

const keepRenewal = flagSwitch('Leaves subscriptions that renew to their gateway, which goes on charging.');

const nameRule = `must be 1 to ${maxNameLength} characters, no control characters, no address`;
const maybeName = (help: string) =>
  ({ schema: nameField({ missing: nameRule, invalid: nameRule }).optional(), text: help }) satisfies Flag;

const show = async ({ postgres: { db }, clock, config }: ViewTools, address: string) => {
  const account = await findUser(db, address);
  const identity = found(await identityRepo(db).byUserId(account.id), `There is no user ${address}.`);
  const entitlement = entitlementOf(identity.held, identity.preview, clock.now());
  return {
    ...account,
    emailVerified: (await userProfileRepo(db).byId(account.id))?.isEmailVerified ?? false,
    apiKey: openApiKey(identity.apiKeySealed, config.ENCRYPTION_KEYS),
    vaIds: identity.vaIds,
    vaAdmin: identity.vaAdmin,
    product: entitlement.product.code,
    level: entitlement.level,
    allowance30d: await allowanceRepo(db).of({ userId: account.id, entitlement }, clock.now()),
  };
};

/** A change of one account, by its address. */
const onAccount = (
  summary: string,
  work: (tools: OperatorTools, account: ListedUser) => Promise<Answer>,
  more: { isShownOnce?: true } = {},
) =>
  verb({
    summary,
    ...more,
    flags: byEmail,
    run: async (tools, values) => work(tools, await findUser(tools.postgres.db, values.email)),
  });

const locking = (isLocked: boolean, summary: string) =>
  onAccount(summary, async ({ change }, account) => {
    await change((tx) => userWrites(tx).lockSettings(account.id, isLocked));
    return { data: { email: account.email, settingsLocked: isLocked } };
  });

/** Each subscription that is cancelled with the account has its own row in the audit. */
const stopping = async (
  tx: Tx,
  trail: Trail,
  deps: Deps<'clock' | 'jobs'>,
  userId: number,
): Promise<StoppedRenewals> => {
  for (const charged of await chargedOf(tx, userId))
    if (canBeCancelledHere(charged)) await trail.changing('subscription', charged.id);
  return stopRenewals(tx, deps, { userId });
};

const noticeOf = (cancelled: readonly string[], charged: readonly string[]): string =>
  [
    'The account is disabled.',
    ...(cancelled.length > 0 ? [`Cancelled: ${cancelled.join(', ')}.`] : []),
    ...(charged.length > 0
      ? [`Still charged, since only the customer can cancel: ${charged.join(', ')}.`]
      : []),
  ].join(' ');

export const user: Noun = {
  name: 'user',
  title: 'Users',
  summary: 'Accounts.',
  kind: 'user',
  verbs: {
    create: verb({
      summary: 'Creates an account, as register does.',
      isShownOnce: true,
      flags: {
        // Not that of an account that is there.
        email: { ...email, schema: email.schema.clone() },
        password: {
          schema: z.string().min(6, 'must have at least 6 characters'),
          text: 'At least 6 characters; typed at a prompt without it.',
          isSecret: true,
        },
        firstname: maybeName('Default: New.'),
        lastname: maybeName('Default: Pilot.'),
        rank: maybe(oneOf(ranks, `${ranks.join(', ')}; default CAPT.`)),
      },
      run: async (tools, { email: address, password, ...values }) => {
        const { firstname = 'New', lastname = 'Pilot', rank = 'CAPT' } = values;
        const passwordHash = await passwords.hash(password);
        const account = { email: address, passwordHash, firstname, lastname, rank, developerKeyId: null };
        const { userId, crewcode, apiKey } = await creating(
          tools,
          'user',
          (tx) => createAccount(tx, tools, account),
          (made) => made.userId,
        );
        return { data: { id: userId, email: address, crewcode, apiKey } };
      },
    }),
    list: view({
      summary: 'Lists accounts, newest first.',
      flags: { search: maybeText('Part of the email address or name.'), ...paging },
      run: async ({ postgres: { db } }, { search = '', limit = 100, offset = 0 }) => ({
        data: { users: await userRepo(db).list(search, limit, offset) },
      }),
    }),
    show: view({
      summary: 'Shows an account with its API key, level, allowance and subscriptions.',
      flags: byEmail,
      run: async (tools, values) => {
        const shown = await show(tools, values.email);
        const { apiKey, ...record } = shown;
        const subscriptions = await subscriptionRepo(tools.postgres.db).ofUser(shown.id);
        return {
          data: { user: shown },
          record,
          secrets: { apiKey },
          tables: { Subscriptions: subscriptions.map((row) => subscriptionRow(row, tools.clock.now())) },
        };
      },
    }),
    delete: verb({
      summary: 'Deletes an account with everything that it owns, for good.',
      isIrreversible: true,
      flags: { ...byEmail, 'keep-renewal': keepRenewal },
      run: async (tools, values) => {
        const { clock, config } = tools;
        const account = await findUser(tools.postgres.db, values.email);
        const airlineWithoutAdmin = await vaRepo(tools.postgres.db).onlyAdminOf(account.id);
        const { producer: jobs } = await tools.queues();
        const { id: userId } = account;
        const charged = await tools.change(async (tx, trail) => {
          const open = await chargedOf(tx, userId);
          if (open.length === 0 || values['keep-renewal'])
            await deleteAccount(tx, { clock, config, jobs }, { userId });
          else await stopping(tx, trail, { clock, jobs }, userId);
          return open.map(chargedName);
        });
        if (charged.length > 0 && !values['keep-renewal'])
          throw new DomainError(
            'SUBSCRIPTION_RUNNING',
            {},
            `${account.email} can still be charged for ${charged.join(', ')}. Nothing is deleted; what can be cancelled here is cancelled. Run this again once the gateway has confirmed (subscription show), or with --keep-renewal.`,
          );
        return { data: { email: account.email, deleted: true, stillCharged: charged, airlineWithoutAdmin } };
      },
    }),
    disable: verb({
      summary: 'Disables an account immediately; its tokens are revoked.',
      flags: { ...byEmail, 'keep-renewal': keepRenewal },
      run: async (tools, values) => {
        const { clock } = tools;
        const { id: userId, email: address } = await findUser(tools.postgres.db, values.email);
        const { producer: jobs } = await tools.queues();
        const { cancelled, charged } = await tools.change(async (tx, trail) => {
          await disableAccount(tx, { clock }, { userId });
          if (!values['keep-renewal']) return stopping(tx, trail, { clock, jobs }, userId);
          return { cancelled: [], charged: (await chargedOf(tx, userId)).map(chargedName) };
        });
        const data = { email: address, disabled: true, cancelled, stillCharged: charged };
        return { data, notice: noticeOf(cancelled, charged) };
      },
    }),
    enable: onAccount('Enables a disabled account.', async ({ change }, account) => {
      await change(async (tx) =>
        found(await userWrites(tx).enable(account.id), `There is no user ${account.email}.`),
      );
      return {
        data: { email: account.email, disabled: false },
        notice: 'The account is enabled; the user has to log in again.',
      };
    }),
    'rotate-api-key': onAccount(
      'Replaces the API key of an account; the one before is refused at once.',
      async ({ change, config }, account) => {
        const { apiKey } = await change((tx) => rotateApiKey(tx, { config }, { userId: account.id }));
        return { data: { email: account.email, apiKey } };
      },
      { isShownOnce: true },
    ),
    verify: onAccount(
      'Marks the email address of an account as verified, as opening a mailed link does.',
      async ({ change, clock, queues }, account) => {
        const { producer: jobs } = await queues();
        await change(async (tx) => {
          await emailProofWrites(tx).verify(account.id, clock.now());
          await claimPurchases(tx, { jobs }, { userId: account.id });
        });
        return { data: { email: account.email, emailVerified: true } };
      },
    ),
    'lock-settings': locking(true, 'Prevents the user from changing preferences.'),
    'unlock-settings': locking(false, 'Allows the user to change preferences again.'),
    gift,
    grant,
  },
};
