import { claimPurchases } from '#commands/subscriptions/messages.ts';
import { ranks } from '#domain/users/fields.ts';
import { maxNameLength, nameField } from '#domain/users/names.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { newSecret, openApiKey } from '#store/auth/secrets.ts';
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
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { createAccount, deleteAccount, disableAccount } from '#commands/users/accounts.ts';
import { rotateApiKey } from '#commands/users/credentials.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { DomainError } from '#domain/errors.ts';
import { byEmail, findUser } from '../find.ts';
import { email, flagSwitch, maybe, maybeText, oneOf, paging } from '../flags.ts';
import type { Trail } from '../audited.ts';
import { change, found, verb, view } from '../verb.ts';
import type { Flag, Noun } from '../verb.ts';
import { gift, grant, subscriptionColumns, withStatus } from './subscription.ts';

const keepRenewal = flagSwitch('Leaves subscriptions that renew to their gateway, which goes on charging.');

const nameRule = `must be 1 to ${maxNameLength} characters, no control characters, no address`;
const maybeName = (help: string) =>
  ({ schema: nameField({ missing: nameRule, invalid: nameRule }).optional(), text: help }) satisfies Flag;

const locking = (isLocked: boolean, summary: string) =>
  change({
    summary,
    flags: byEmail,
    run: async ({ tx }, { email: address }) =>
      userWrites(tx).lockSettings((await findUser(tx, address)).id, isLocked),
  });

/** Each subscription cancelled with the account has its own audit row. */
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

const sentenceOf = (cancelled: readonly string[], charged: readonly string[]): string =>
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
    create: change({
      summary: 'Creates an account with a password that is shown once; its user can set another at /reset.',
      isShownOnce: true,
      flags: {
        // Not the address of an existing account.
        email: { ...email, schema: email.schema.clone() },
        firstname: maybeName('Default: New.'),
        lastname: maybeName('Default: Pilot.'),
        rank: maybe(oneOf(ranks, `${ranks.join(', ')}; default CAPT.`)),
      },
      run: async (tools, given) => {
        const { email: address, firstname = 'New', lastname = 'Pilot', rank = 'CAPT' } = given;
        const password = newSecret();
        const passwordHash = await passwords.hash(password);
        const account = { email: address, passwordHash, firstname, lastname, rank, developerKeyId: null };
        const { userId: id, crewcode, apiKey } = await createAccount(tools.tx, tools, account);
        tools.trail.created('user', id);
        return { data: { id, email: address, crewcode, password, apiKey } };
      },
    }),
    list: view({
      summary: 'Lists accounts, newest first.',
      flags: { search: maybeText('Part of the email address or name.'), ...paging },
      run: async ({ db }, { search = '', limit, offset }) => ({
        data: { users: await userRepo(db).list(search, limit, offset) },
      }),
    }),
    show: view({
      summary: 'Shows an account with its API key, level, allowance and subscriptions.',
      flags: byEmail,
      run: async ({ db, now, config }, { email: address }) => {
        const account = await findUser(db, address);
        const { id: userId } = account;
        const identity = found(await identityRepo(db).byUserId(userId), `There is no user ${address}.`);
        const entitlement = entitlementOf(identity.held, identity.preview, now);
        const shown = {
          ...account,
          emailVerified: (await userProfileRepo(db).byId(userId))?.isEmailVerified ?? false,
          apiKey: openApiKey(identity.apiKeySealed, config.ENCRYPTION_KEYS),
          vaIds: identity.vaIds,
          vaAdmin: identity.vaAdmin,
          product: entitlement.product.code,
          level: entitlement.level,
          allowance30d: await allowanceRepo(db).of({ userId, entitlement }, now),
        };
        const held = await subscriptionRecordRepo(db).ofUser(userId);
        return {
          data: { user: shown, subscriptions: held.map((each) => withStatus(each, now)) },
          columns: { subscriptions: subscriptionColumns },
          secrets: ['apiKey'],
        };
      },
    }),
    delete: verb({
      summary: 'Deletes an account with everything that it owns, for good.',
      isIrreversible: true,
      flags: { ...byEmail, keepRenewal },
      run: async (tools, { email: address, keepRenewal: isKept }) => {
        const { id: userId, email: account } = await findUser(tools.db, address);
        const airlineWithoutAdmin = await vaRepo(tools.db).onlyAdminOf(userId);
        const stillCharged = await tools.change(async (tx, trail) => {
          const open = await chargedOf(tx, userId);
          if (open.length === 0 || isKept) await deleteAccount(tx, tools, { userId });
          else await stopping(tx, trail, tools, userId);
          return open.map(chargedName);
        });
        // After the commit, cancels what can be cancelled from here.
        if (stillCharged.length > 0 && !isKept)
          throw new DomainError(
            'SUBSCRIPTION_RUNNING',
            {},
            `${account} can still be charged for ${stillCharged.join(', ')}. Nothing is deleted; what can be cancelled here is cancelled. Run this again once the gateway has confirmed (subscription show), or with --keep-renewal.`,
          );
        return { data: { email: account, stillCharged, airlineWithoutAdmin } };
      },
    }),
    disable: change({
      summary: 'Disables an account immediately; its tokens are revoked.',
      flags: { ...byEmail, keepRenewal },
      run: async (tools, { email: address, keepRenewal: isKept }) => {
        const { tx, trail } = tools;
        const { id: userId } = await findUser(tx, address);
        await disableAccount(tx, tools, { userId });
        const { cancelled, charged } = isKept
          ? { cancelled: [], charged: (await chargedOf(tx, userId)).map(chargedName) }
          : await stopping(tx, trail, tools, userId);
        const sentence = sentenceOf(cancelled, charged);
        return {
          data: { email: address, cancelled, stillCharged: charged },
          text: sentence,
          notice: sentence,
        };
      },
    }),
    enable: change({
      summary: 'Enables a disabled account; the user has to log in again.',
      flags: byEmail,
      run: async ({ tx }, { email: address }) => userWrites(tx).enable((await findUser(tx, address)).id),
    }),
    'rotate-api-key': change({
      summary: 'Replaces the API key of an account; the one before is refused at once.',
      isShownOnce: true,
      flags: byEmail,
      run: async (tools, { email: address }) => {
        const { id: userId } = await findUser(tools.tx, address);
        const { apiKey } = await rotateApiKey(tools.tx, tools, { userId });
        return { data: { email: address, apiKey } };
      },
    }),
    verify: change({
      summary: 'Marks the email address of an account as verified, as opening a mailed link does.',
      flags: byEmail,
      run: async ({ tx, now, jobs }, { email: address }) => {
        const { id: userId } = await findUser(tx, address);
        await emailProofWrites(tx).verify(userId, now);
        await claimPurchases(tx, { jobs }, { userId });
      },
    }),
    'lock-settings': locking(true, 'Prevents the user from changing preferences.'),
    'unlock-settings': locking(false, 'Allows the user to change preferences again.'),
    gift,
    grant,
  },
};
