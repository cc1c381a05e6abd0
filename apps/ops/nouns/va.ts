import { z } from 'zod';
import { vaRepo, vaWrites } from '#data/postgres/virtual-airlines/virtual-airlines.ts';
import type { VaRow } from '#data/postgres/virtual-airlines/virtual-airlines.ts';
import { OpsError, UsageError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { findUser, findVa } from '../find.ts';
import { clearable, email, maybeInteger, maybeText, maybeYesNo, oneOf, text } from '../flags.ts';

const details = {
  website: clearable('Website URL; empty for none.'),
  'contact-email': {
    schema: z.union([z.literal('').transform(() => null), z.email('must be an email address')]).optional(),
    text: 'Email address; empty for none.',
  },
  logo: clearable('URL of the single logo; empty for none.'),
  'logo-dark': clearable('URL of the logo for light backgrounds; requires --logo-white.'),
  'logo-white': clearable('URL of the logo for dark backgrounds.'),
  partner: maybeYesNo('Shown to every user.'),
  'legacy-name': clearable('Name in the legacy field virtual_airline; empty for none.'),
  'library-quota-mb': maybeInteger('Library storage of the airline in MB.', 0),
};

type Details = { [K in keyof typeof details]: z.output<(typeof details)[K]['schema']> };

const changed = <T extends Omit<VaRow, 'id'>>(before: T, values: Details): T => {
  const pick = <V>(value: V | undefined, old: V): V => (value === undefined ? old : value);
  const after = {
    ...before,
    website: pick(values.website, before.website),
    contactEmail: pick(values['contact-email'], before.contactEmail),
    logo: pick(values.logo, before.logo),
    logoDark: pick(values['logo-dark'], before.logoDark),
    logoWhite: pick(values['logo-white'], before.logoWhite),
    isPartner: pick(values.partner, before.isPartner),
    legacyName: pick(values['legacy-name'], before.legacyName),
    libraryQuotaMb: pick(values['library-quota-mb'], before.libraryQuotaMb),
  };
  if ((after.logoDark === null) !== (after.logoWhite === null)) {
    throw new UsageError('--logo-dark and --logo-white must be used together');
  }
  return after;
};

const blank = {
  website: null,
  contactEmail: null,
  logo: null,
  logoDark: null,
  logoWhite: null,
  isPartner: false,
  legacyName: null,
  libraryQuotaMb: 0,
};

const membership = { va: text('Name of the airline.'), email: email() };

/** Deactivates or activates an admin; the role itself is kept. */
const activating = (isActive: boolean, summary: string) =>
  verb({
    summary,
    flags: { email: email() },
    run: async ({ postgres }, values) => {
      const user = await findUser(postgres.db, values.email);
      const found = await postgres.transaction((tx) => vaWrites(tx).setAdminActive(user.id, isActive));
      if (found === 0) throw new OpsError('NOT_AN_ADMIN', `${user.email} is not an admin.`);
      return { data: { email: user.email, active: isActive } };
    },
  });

export const va: Noun = {
  name: 'va',
  summary: 'Virtual airlines, their members and admins.',
  verbs: {
    create: verb({
      summary: 'Creates an airline.',
      flags: { name: text('Name of the airline.'), ...details },
      run: async ({ postgres }, { name, ...values }) => {
        const row = changed({ ...blank, name }, values);
        const id = await postgres.transaction((tx) => vaWrites(tx).create(row));
        return { data: { id, name } };
      },
    }),
    list: verb({
      summary: 'Lists all airlines.',
      flags: {},
      run: async ({ postgres: { db } }) => {
        const airlines = await vaRepo(db).list();
        const table = airlines.map(({ id, name, website, isPartner, libraryQuotaMb }) => ({
          id,
          name,
          website,
          partner: isPartner,
          libraryMb: libraryQuotaMb,
        }));
        return { data: { airlines }, table };
      },
    }),
    update: verb({
      summary: 'Changes an airline; omitted flags leave the value unchanged.',
      flags: { va: text('Current name.'), name: maybeText('New name.'), ...details },
      run: async ({ postgres }, { va: current, name, ...values }) => {
        const after = await postgres.transaction(async (tx) => {
          const before = await findVa(tx, current);
          const row = changed({ ...before, name: name ?? before.name }, values);
          await vaWrites(tx).save(row);
          return row;
        });
        return { data: { va: after } };
      },
    }),
    'member add': verb({
      summary: 'Adds a user as a member.',
      flags: membership,
      run: async ({ postgres, clock }, values) => {
        const result = await postgres.transaction(async (tx) => {
          const [airline, user] = [await findVa(tx, values.va), await findUser(tx, values.email)];
          const added = await vaWrites(tx).addMember(airline.id, user.id, clock.now());
          return { va: airline.name, email: user.email, added: added > 0 };
        });
        return { data: result };
      },
    }),
    'member remove': verb({
      summary: 'Ends a membership and any VA_ONLY admin role.',
      flags: membership,
      run: async ({ postgres }, values) => {
        const removed = await postgres.transaction(async (tx) => {
          const [airline, user] = [await findVa(tx, values.va), await findUser(tx, values.email)];
          return vaWrites(tx).removeMember(airline.id, user.id);
        });
        if (removed === 0) {
          throw new OpsError('NOT_A_MEMBER', `${values.email} is not a member of ${values.va}.`);
        }
        return { data: { va: values.va, email: values.email, removed: true } };
      },
    }),
    'member list': verb({
      summary: 'Lists the members of an airline.',
      flags: { va: membership.va },
      run: async ({ postgres: { db } }, values) => {
        const members = await vaRepo(db).members((await findVa(db, values.va)).id);
        return { data: { members }, table: members.map((member) => ({ ...member })) };
      },
    }),
    'admin add': verb({
      summary: 'Grants a user the admin role of one airline (with membership) or of all airlines.',
      flags: {
        email: email(),
        scope: oneOf(['VA_ONLY', 'FULL'], 'VA_ONLY: this airline. FULL: every airline.'),
        va: maybeText('Name of the airline, for VA_ONLY.'),
      },
      run: async ({ postgres, clock }, values) => {
        if (values.scope === 'VA_ONLY' && values.va === undefined) {
          throw new UsageError('--va is required with --scope VA_ONLY');
        }
        const result = await postgres.transaction(async (tx) => {
          const user = await findUser(tx, values.email);
          const airline = values.va === undefined ? null : await findVa(tx, values.va);
          await vaWrites(tx).setAdmin(user.id, values.scope, airline?.id ?? null);
          if (airline) await vaWrites(tx).addMember(airline.id, user.id, clock.now());
          return { email: user.email, scope: values.scope, va: airline?.name ?? null };
        });
        return { data: result };
      },
    }),
    'admin remove': verb({
      summary: 'Removes an admin role.',
      flags: { email: email() },
      run: async ({ postgres }, values) => {
        const user = await findUser(postgres.db, values.email);
        const removed = await postgres.transaction((tx) => vaWrites(tx).removeAdmin(user.id));
        if (removed === 0) throw new OpsError('NOT_AN_ADMIN', `${user.email} is not an admin.`);
        return { data: { email: user.email, removed: true } };
      },
    }),
    'admin deactivate': activating(false, 'Suspends an admin: the role is kept without its rights.'),
    'admin activate': activating(true, 'Restores the rights of a suspended admin.'),
    'admin list': verb({
      summary: 'Lists all admins, active and suspended.',
      flags: {},
      run: async ({ postgres: { db } }) => {
        const admins = await vaRepo(db).admins();
        return { data: { admins }, table: admins.map((admin) => ({ ...admin })) };
      },
    }),
  },
};
