import { z } from 'zod';
import { clearSpace } from '#commands/library.ts';
import { logoWrites, vaRepo, vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { LogoError, readLogo } from '#data/logos/read-logo.ts';
import type { LogoFile } from '#data/logos/read-logo.ts';
import type { VaRow } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { DomainError } from '#domain/errors.ts';
import { requiredTextField } from '#domain/fields/index.ts';
import { isPrintable } from '#domain/text/controls.ts';
import { byVa, findUser, findVa, holdVa } from '../find.ts';
import {
  clearable,
  email,
  fieldsOf,
  flagSwitch,
  maybe,
  maybeInteger,
  maybeText,
  maybeYesNo,
  oneOf,
  paging,
  row,
} from '../flags.ts';
import { creating, UsageError, verb, view } from '../verb.ts';
import type { Flag, Noun } from '../verb.ts';

const nameRule = 'must have 1 to 100 visible characters in one line';
const nameSchema = requiredTextField(100, { missing: nameRule, invalid: nameRule }).refine(
  isPrintable,
  nameRule,
);
const vaName = { schema: nameSchema, text: 'Name of the airline.' } satisfies Flag;

const emptySchema = z.literal('').transform(() => null);
const webUrl = /^https?:\/\//i;
const webUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const logo = (help: string) =>
  ({
    ...clearable(`${help}: URL, or PNG, JPEG or WebP file of at most 512 kB; empty for none.`),
    isLocal: true,
  }) satisfies Flag;

const vaDetails = {
  website: {
    schema: z.union([emptySchema, webUrlSchema], 'must be an http or https URL').optional(),
    text: 'Website URL; empty for none.',
  },
  'contact-email': {
    schema: z.union([emptySchema, z.email('must be an email address')]).optional(),
    text: 'Email address; empty for none.',
  },
  logo: logo('The single logo'),
  'logo-dark': logo('The dark logo, with --logo-white'),
  'logo-white': logo('The white logo, with --logo-dark'),
  partner: maybeYesNo('yes or no; a partner is shown to every user.'),
  'legacy-name': clearable('Name in the legacy field virtual_airline; empty for none.'),
  'library-quota-mb': maybeInteger('Library storage of the airline in MB.', 0),
};

type VaDetails = { [K in keyof typeof vaDetails]: z.output<(typeof vaDetails)[K]['schema']> };

const blankVa: Omit<VaRow, 'id' | 'name'> = {
  website: null,
  contactEmail: null,
  logo: null,
  logoDark: null,
  logoWhite: null,
  isPartner: false,
  legacyName: null,
  libraryQuotaMb: 0,
};

const logoKinds = ['logo', 'logoDark', 'logoWhite'] as const;
type LogoFiles = Partial<Record<(typeof logoKinds)[number], LogoFile>>;

/** The files among the given logos, read; the others are URLs. */
const logoFilesOf = async (values: VaDetails): Promise<LogoFiles> => {
  const given = fieldsOf(values);
  const files: LogoFiles = {};
  for (const kind of logoKinds) {
    const path = given[kind];
    if (typeof path !== 'string') continue;
    if (webUrl.test(path)) {
      if (!URL.canParse(path)) throw new UsageError(`${path} is not a URL`);
      continue;
    }
    try {
      files[kind] = await readLogo(path);
    } catch (error) {
      if (error instanceof LogoError) throw new UsageError(error.message);
      throw error;
    }
  }
  return files;
};

/** The row with the given details; omitted ones are unchanged. */
const changedVa = <T extends Omit<VaRow, 'id'>>(
  before: T,
  { partner: isPartner = before.isPartner, ...values }: VaDetails,
): T => {
  const after = { ...before, ...fieldsOf(values), isPartner };
  if ((after.logoDark === null) !== (after.logoWhite === null))
    throw new UsageError('--logo-dark and --logo-white must be used together');
  return after;
};

/** Stores an airline with its new logos, and deletes the logos they replace. */
const saveVa = async (tx: Tx, airline: VaRow, files: LogoFiles): Promise<VaRow> => {
  const logos = logoWrites(tx);
  const after = { ...airline };
  for (const kind of logoKinds) {
    const file = files[kind];
    if (file) after[kind] = await logos.add(airline.id, file);
  }
  await vaWrites(tx).save(after);
  await logos.deleteUnused(airline.id);
  return after;
};

const membership = {
  ...byVa,
  email: row('membership', email, async (db, address, { va: name = '' }) => {
    const [airline, user] = [await findVa(db, String(name)), await findUser(db, address)];
    return `${airline.id}:${user.id}`;
  }),
};
const ofAdmin = { email: row('admin role', email, async (db, address) => (await findUser(db, address)).id) };

const notAnAdmin = (address: string) => new DomainError('NOT_AN_ADMIN', {}, `${address} is not an admin.`);

/** Deactivates or activates an admin; the role itself is kept. */
const activating = (isActive: boolean, summary: string) =>
  verb({
    summary,
    flags: ofAdmin,
    run: async (tools, values) => {
      const user = await findUser(tools.postgres.db, values.email);
      await tools.change(async (tx) => {
        if ((await vaWrites(tx).setAdminActive(user.id, isActive)) === 0) throw notAnAdmin(user.email);
      });
      return { data: { email: user.email, active: isActive } };
    },
  });

export const va: Noun = {
  name: 'va',
  title: 'Airlines',
  summary: 'Virtual airlines, their members and admins.',
  kind: 'airline',
  verbs: {
    create: verb({
      summary: 'Creates an airline.',
      flags: { name: vaName, ...vaDetails },
      run: async (tools, { name, ...values }) => {
        const logos = await logoFilesOf(values);
        const airline = changedVa({ ...blankVa, name }, values);
        const id = await creating(
          tools,
          'airline',
          async (tx) => {
            const created = await vaWrites(tx).create(airline);
            await saveVa(tx, { ...airline, id: created }, logos);
            return created;
          },
          Number,
        );
        return { data: { id, name } };
      },
    }),
    list: view({
      summary: 'Lists airlines by name.',
      flags: {
        search: maybeText('Part of the name.'),
        ...paging,
      },
      run: async ({ postgres: { db } }, { search = '', limit = 100, offset = 0 }) => {
        const airlines = await vaRepo(db).list(search, limit, offset);
        const table = airlines.map(({ id, name, website, isPartner, libraryQuotaMb }) => ({
          id,
          va: name,
          website,
          partner: isPartner,
          libraryMb: libraryQuotaMb,
        }));
        return { data: { airlines }, table };
      },
    }),
    show: view({
      summary: 'Shows an airline with the numbers of what belongs to it.',
      flags: byVa,
      run: async ({ postgres: { db } }, values) => {
        const found = await findVa(db, values.va);
        return { data: { va: { ...found, ...(await vaRepo(db).counts(found.id)) } } };
      },
    }),
    update: verb({
      summary: 'Changes an airline; omitted flags leave the value unchanged.',
      flags: { ...byVa, name: maybe(vaName, 'New name.'), ...vaDetails },
      run: async ({ change }, { va: current, name, ...values }) => {
        const logos = await logoFilesOf(values);
        const after = await change(async (tx) => {
          const before = await holdVa(tx, current);
          return saveVa(tx, changedVa({ ...before, name: name ?? before.name }, values), logos);
        });
        return { data: { va: after } };
      },
    }),
    delete: verb({
      summary: 'Deletes an airline with all that it owns, for good; its members and admins remain users.',
      isIrreversible: true,
      flags: byVa,
      run: async ({ change, clock, queues }, values) => {
        const { producer: jobs } = await queues();
        const { id, name } = await change(async (tx) => {
          const found = await holdVa(tx, values.va);
          await clearSpace(tx, { clock, jobs }, { owner: { type: 'va', vaId: found.id } });
          await vaWrites(tx).delete(found.id);
          return found;
        });
        return { data: { id, name, deleted: true } };
      },
    }),
    'member add': verb({
      summary: 'Adds a user as a member.',
      flags: { ...membership, active: flagSwitch('Also makes it the active airline of the user.') },
      run: async ({ change, clock }, values) => {
        const result = await change(async (tx) => {
          const [airline, user] = [await findVa(tx, values.va), await findUser(tx, values.email)];
          const added = await vaWrites(tx).addMember(airline.id, user.id, clock.now());
          if (values.active) await vaWrites(tx).activate(airline.id, user.id);
          return { va: airline.name, email: user.email, added: added > 0 };
        });
        return { data: result };
      },
    }),
    'member remove': verb({
      summary: 'Ends a membership and any VA_ONLY admin role.',
      flags: membership,
      run: async ({ change }, values) => {
        await change(async (tx) => {
          const [airline, user] = [await findVa(tx, values.va), await findUser(tx, values.email)];
          if ((await vaWrites(tx).removeMember(airline.id, user.id)) === 0)
            throw new DomainError('NOT_A_MEMBER', {}, `${values.email} is not a member of ${values.va}.`);
        });
        return { data: { va: values.va, email: values.email, removed: true } };
      },
    }),
    'member list': view({
      summary: 'Lists the members of an airline.',
      flags: byVa,
      run: async ({ postgres: { db } }, values) => {
        const members = await vaRepo(db).members((await findVa(db, values.va)).id);
        return {
          data: { members },
          actionsOf: ({ email: member }) => ({ 'member remove': { va: values.va, email: member } }),
        };
      },
    }),
    'admin add': verb({
      summary: 'Grants a user the admin role of one airline (with membership) or of all airlines.',
      flags: {
        ...ofAdmin,
        scope: oneOf(['VA_ONLY', 'FULL'], 'VA_ONLY: this airline. FULL: every airline.'),
        va: maybeText('Name of the airline, for VA_ONLY.'),
      },
      run: async ({ change, clock }, values) => {
        if ((values.scope === 'VA_ONLY') !== (values.va !== undefined)) {
          throw new UsageError('--va is required with --scope VA_ONLY, and only there');
        }
        const result = await change(async (tx) => {
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
      flags: ofAdmin,
      run: async (tools, values) => {
        const user = await findUser(tools.postgres.db, values.email);
        await tools.change(async (tx) => {
          if ((await vaWrites(tx).removeAdmin(user.id)) === 0) throw notAnAdmin(user.email);
        });
        return { data: { email: user.email, removed: true } };
      },
    }),
    'admin deactivate': activating(false, 'Suspends an admin: the role is kept without its rights.'),
    'admin activate': activating(true, 'Restores the rights of a suspended admin.'),
    'admin list': view({
      summary: 'Lists all admins, active and suspended.',
      flags: {},
      run: async ({ postgres: { db } }) => {
        const admins = await vaRepo(db).admins();
        return {
          data: { admins },
          actionsOf: ({ email: admin, isActive }) => ({
            [isActive === true ? 'admin deactivate' : 'admin activate']: { email: admin },
            'admin remove': { email: admin },
          }),
        };
      },
    }),
  },
};
