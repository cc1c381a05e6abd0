import { claimPurchases } from '#commands/subscriptions/claim-purchases.ts';
import { z } from 'zod';
import { ranks } from '#domain/users/fields.ts';
import { maxNameLength, nameField } from '#domain/users/names.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { openApiKey } from '#data/auth/api-keys.ts';
import { passwords } from '#data/auth/passwords.ts';
import { allowanceRepo } from '#data/postgres/subscriptions/allowances.ts';
import { identityRepo } from '#data/postgres/users/identities.ts';
import { emailProofWrites } from '#data/postgres/users/email-proofs.ts';
import { userProfileRepo } from '#data/postgres/users/profiles.ts';
import { vaRepo } from '#data/postgres/virtual-airlines/virtual-airlines.ts';
import { userRepo, userWrites } from '#data/postgres/users/users.ts';
import { chargedName } from '#domain/subscriptions/agreement.ts';
import { chargedOf, stopRenewals } from '#commands/subscriptions/stop-renewals.ts';
import { createAccount } from '#commands/users/create-account.ts';
import { deleteAccount } from '#commands/users/delete-account.ts';
import { rotateApiKey } from '#commands/users/rotate-api-key.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun, Ops } from '../command.ts';
import type { Flag } from '#operator/verb.ts';
import { findUser } from '#operator/find.ts';
import { email, maybeInteger, maybeText } from '#operator/flags.ts';
import { giftVerb } from '#operator/subscriptions.ts';
import { disableUserVerb, enableUserVerb, keepRenewal } from '#operator/users.ts';

const byEmail = { email: email() };

const nameRule = `must be 1 to ${maxNameLength} characters, no control characters, no address`;
const maybeName = (help: string) =>
  ({ schema: nameField({ missing: nameRule, invalid: nameRule }).optional(), text: help }) satisfies Flag;

const show = async ({ postgres: { db }, clock, config }: Ops, address: string) => {
  const user = await findUser(db, address);
  const identity = await identityRepo(db).byUserId(user.id);
  if (!identity) throw new OpsError('NOT_FOUND', `There is no user ${address}.`);
  const entitlement = entitlementOf(identity.held, identity.preview, clock.now());
  return {
    ...user,
    emailVerified: (await userProfileRepo(db).byId(user.id))?.isEmailVerified ?? false,
    apiKey: openApiKey(identity.apiKeySealed, config.ENCRYPTION_KEYS),
    vaIds: identity.vaIds,
    vaAdmin: identity.vaAdmin,
    product: entitlement.product.code,
    level: entitlement.level,
    allowance30d: await allowanceRepo(db).of({ userId: user.id, entitlement }, clock.now()),
  };
};

const locking = (isLocked: boolean, summary: string) =>
  verb({
    summary,
    flags: byEmail,
    run: async ({ postgres, change }, values) => {
      const user = await findUser(postgres.db, values.email);
      await change(async (tx, trail) => {
        await trail.changing('user', user.id);
        await userWrites(tx).lockSettings(user.id, isLocked);
      });
      return { data: { email: user.email, settingsLocked: isLocked } };
    },
  });

export const user: Noun = {
  name: 'user',
  summary: 'Accounts.',
  verbs: {
    create: verb({
      summary: 'Creates an account, as register does.',
      flags: {
        ...byEmail,
        password: {
          schema: z.string().min(6, 'must have at least 6 characters'),
          text: 'At least 6 characters; typed at a prompt without it.',
          isSecret: true,
        },
        firstname: maybeName('Default: New.'),
        lastname: maybeName('Default: Pilot.'),
        rank: { schema: z.enum(ranks).default('CAPT'), text: `${ranks.join(', ')}; default CAPT.` },
      },
      run: async ({ change, clock, config }, { email: address, password, ...values }) => {
        const { firstname = 'New', lastname = 'Pilot', rank } = values;
        const passwordHash = await passwords.hash(password);
        const account = { email: address, passwordHash, firstname, lastname, rank, developerKeyId: null };
        const made = await change(async (tx, trail) => {
          const created = await createAccount(tx, { clock, config }, account);
          trail.created('user', created.userId);
          return created;
        });
        const { userId, crewcode, apiKey } = made;
        return { data: { id: userId, email: address, crewcode, apiKey } };
      },
    }),
    list: verb({
      summary: 'Lists accounts, newest first.',
      flags: {
        search: maybeText('Part of the email address or name.'),
        limit: maybeInteger('Maximum number of rows; default 100.'),
      },
      run: async ({ postgres: { db } }, { search = '', limit = 100 }) => {
        const users = await userRepo(db).list(search, limit);
        return { data: { users }, table: users.map((listed) => ({ ...listed })) };
      },
    }),
    show: verb({
      summary: 'Shows an account with its API key, level and allowance.',
      flags: byEmail,
      run: async (ops, values) => {
        const shown = await show(ops, values.email);
        return { data: { user: shown }, record: shown };
      },
    }),
    delete: verb({
      summary: 'Deletes an account with everything that it owns, for good.',
      isIrreversible: true,
      flags: { ...byEmail, 'keep-renewal': keepRenewal },
      run: async ({ postgres, change, clock, config, queues }, values) => {
        const found = await findUser(postgres.db, values.email);
        const airlineWithoutAdmin = await vaRepo(postgres.db).onlyAdminOf(found.id);
        const jobs = (await queues()).producer;
        const { id: userId } = found;
        const charged = await change(async (tx, trail) => {
          await trail.changing('user', userId);
          const open = await chargedOf(tx, userId);
          if (open.length === 0 || values['keep-renewal'])
            await deleteAccount(tx, { clock, config, jobs }, { userId });
          else await stopRenewals(tx, { clock, jobs, trail }, { userId });
          return open.map(chargedName);
        });
        if (charged.length > 0 && !values['keep-renewal'])
          throw new OpsError(
            'SUBSCRIPTION_RUNNING',
            `${found.email} can still be charged for ${charged.join(', ')}. Nothing is deleted; what can be cancelled here is cancelled. Run this again once the gateway has confirmed (subscription show), or with --keep-renewal.`,
          );
        return { data: { email: found.email, deleted: true, stillCharged: charged, airlineWithoutAdmin } };
      },
    }),
    disable: disableUserVerb,
    enable: enableUserVerb,
    'rotate-api-key': verb({
      summary: 'Replaces the API key of an account; the one before is refused at once.',
      flags: byEmail,
      run: async ({ postgres, change, config }, values) => {
        const found = await findUser(postgres.db, values.email);
        const { apiKey } = await change(async (tx, trail) => {
          await trail.changing('user', found.id);
          return rotateApiKey(tx, { config }, { userId: found.id });
        });
        return { data: { email: found.email, apiKey } };
      },
    }),
    verify: verb({
      summary: 'Marks the email address of an account as verified, as opening a mailed link does.',
      flags: byEmail,
      run: async ({ postgres, change, clock, queues }, values) => {
        const found = await findUser(postgres.db, values.email);
        const { producer: jobs } = await queues();
        await change(async (tx, trail) => {
          await trail.changing('user', found.id);
          await emailProofWrites(tx).verify(found.id, clock.now());
          await claimPurchases(tx, { jobs }, { userId: found.id });
        });
        return { data: { email: found.email, emailVerified: true } };
      },
    }),
    'lock-settings': locking(true, 'Prevents the user from changing preferences.'),
    'unlock-settings': locking(false, 'Allows the user to change preferences again.'),
    gift: giftVerb,
  },
};
