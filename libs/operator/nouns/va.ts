import { z } from 'zod';
import { clearSpace } from '#commands/library.ts';
import { logoWrites, vaRepo, vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { LogoError, readLogo } from '#data/logos/read-logo.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { VaRow } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { DomainError } from '#domain/errors.ts';
import { requiredTextField } from '#domain/fields/index.ts';
import { isPrintable } from '#domain/text/controls.ts';
import { byVa, findUser, findVa, holdVa } from '../find.ts';
import {
  clearable,
  email,
  flagSwitch,
  givenOf,
  maybe,
  maybeInteger,
  maybeText,
  maybeYesNo,
  oneOf,
  paging,
  row,
  parsed,
} from '../flags.ts';
import { change, UsageError, view } from '../verb.ts';
import type { Flag, Noun } from '../verb.ts';

const nameRule = 'must have 1 to 100 visible characters in one line';
const nameSchema = requiredTextField(100, { missing: nameRule, invalid: nameRule }).refine(
  isPrintable,
  nameRule,
);
const vaName = { schema: nameSchema, text: 'Name of the airline.' } satisfies Flag;

const webUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const logo = (help: string) =>
  ({
    ...clearable(`${help}: URL, or PNG, JPEG or WebP file of at most 512 kB; empty for none.`),
    isLocal: true,
  }) satisfies Flag;

const vaDetails = {
  website: parsed(webUrlSchema.nullable(), 'Website URL; empty for none.'),
  contactEmail: parsed(z.email('must be an email address').nullable(), 'Email address; empty for none.'),
  logo: logo('The single logo'),
  logoDark: logo('The dark logo, with --logo-white'),
  logoWhite: logo('The white logo, with --logo-dark'),
  partner: maybeYesNo('yes or no; a partner is shown to every user.'),
  legacyName: clearable('Name in the legacy field virtual_airline; empty for none.'),
  libraryQuotaMb: maybeInteger('Library storage of the airline in MB.', 0),
};

type VaDetails = { [K in keyof typeof vaDetails]: z.output<(typeof vaDetails)[K]['schema']> };

/** Saves the airline; omitted details stay unchanged. Logos that are not URLs are files. */
const save = async (
  tx: Tx,
  before: VaRow,
  { partner: isPartner = before.isPartner, ...given }: VaDetails,
) => {
  const airline: VaRow = { ...before, ...givenOf(given), isPartner };
  if ((airline.logoDark === null) !== (airline.logoWhite === null))
    throw new UsageError('--logo-dark and --logo-white must be used together');
  const logos = logoWrites(tx);
  for (const kind of ['logo', 'logoDark', 'logoWhite'] as const) {
    const source = given[kind];
    if (!source || webUrlSchema.safeParse(source).success) continue;
    const file = await readLogo(source).catch((error: unknown) => {
      throw error instanceof LogoError ? new UsageError(error.message) : error;
    });
    airline[kind] = await logos.add(airline.id, file);
  }
  await vaWrites(tx).save(airline);
  await logos.deleteUnused(airline.id);
  return airline;
};

const membership = {
  ...byVa,
  email: row('membership', email, async (db, address, { va: name = '' }) => {
    const [airline, user] = [await findVa(db, String(name)), await findUser(db, address)];
    return `${airline.id}:${user.id}`;
  }),
};
const ofAdmin = { email: row('admin role', email, async (db, address) => (await findUser(db, address)).id) };

const onAdmin = (
  summary: string,
  work: (writes: ReturnType<typeof vaWrites>, id: number) => Promise<number>,
) =>
  change({
    summary,
    flags: ofAdmin,
    run: async ({ tx }, { email: address }) => {
      if ((await work(vaWrites(tx), (await findUser(tx, address)).id)) === 0)
        throw new DomainError('NOT_AN_ADMIN', {}, `${address} is not an admin.`);
    },
  });

export const va: Noun = {
  name: 'va',
  title: 'Airlines',
  summary: 'Virtual airlines, their members and admins.',
  kind: 'airline',
  verbs: {
    create: change({
      summary: 'Creates an airline.',
      flags: { name: vaName, ...vaDetails },
      run: async ({ tx, trail }, { name, ...details }) => {
        const id = await vaWrites(tx).create(name);
        await save(tx, await holdVa(tx, name), details);
        trail.created('airline', id);
        return { data: { id, name } };
      },
    }),
    list: view({
      summary: 'Lists airlines by name.',
      flags: { search: maybeText('Part of the name.'), ...paging },
      run: async ({ db }, { search = '', limit, offset }) => {
        const airlines = await vaRepo(db).list(search, limit, offset);
        return {
          data: { airlines: airlines.map((airline) => ({ ...airline, va: airline.name })) },
          columns: { airlines: 'id va website isPartner libraryQuotaMb' },
        };
      },
    }),
    show: view({
      summary: 'Shows an airline with the numbers of what belongs to it.',
      flags: byVa,
      run: async ({ db }, { va: name }) => {
        const shown = await findVa(db, name);
        return { data: { va: { ...shown, ...(await vaRepo(db).counts(shown.id)) } } };
      },
    }),
    update: change({
      summary: 'Changes an airline; omitted flags leave the value unchanged.',
      flags: { ...byVa, name: maybe(vaName, 'New name.'), ...vaDetails },
      run: async ({ tx }, { va: current, name, ...details }) => {
        const before = await holdVa(tx, current);
        return { data: { va: await save(tx, { ...before, name: name ?? before.name }, details) } };
      },
    }),
    delete: change({
      summary: 'Deletes an airline with all that it owns, for good; its members and admins remain users.',
      isIrreversible: true,
      flags: byVa,
      run: async (tools, values) => {
        const { id, name } = await holdVa(tools.tx, values.va);
        await clearSpace(tools.tx, tools, { owner: { type: 'va', vaId: id } });
        await vaWrites(tools.tx).delete(id);
        return { data: { id, name } };
      },
    }),
    'member add': change({
      summary: 'Adds a user as a member.',
      flags: { ...membership, active: flagSwitch('Also makes it the active airline of the user.') },
      run: async ({ tx, now }, values) => {
        const [airline, user] = [await findVa(tx, values.va), await findUser(tx, values.email)];
        const added = await vaWrites(tx).addMember(airline.id, user.id, now);
        if (values.active) await vaWrites(tx).activate(airline.id, user.id);
        return { data: { va: airline.name, email: user.email, added: added > 0 } };
      },
    }),
    'member remove': change({
      summary: 'Ends a membership and any VA_ONLY admin role.',
      flags: membership,
      run: async ({ tx }, values) => {
        const [airline, user] = [await findVa(tx, values.va), await findUser(tx, values.email)];
        if ((await vaWrites(tx).removeMember(airline.id, user.id)) === 0)
          throw new DomainError('NOT_A_MEMBER', {}, `${values.email} is not a member of ${values.va}.`);
      },
    }),
    'member list': view({
      summary: 'Lists the members of an airline.',
      flags: byVa,
      run: async ({ db }, { va: name }) => ({
        data: { members: await vaRepo(db).members((await findVa(db, name)).id) },
        offers: () => ['member remove'],
      }),
    }),
    'admin add': change({
      summary: 'Grants a user the admin role of one airline (with membership) or of all airlines.',
      flags: {
        ...ofAdmin,
        scope: oneOf(['VA_ONLY', 'FULL'], 'VA_ONLY: this airline. FULL: every airline.'),
        va: maybeText('Name of the airline, for VA_ONLY.'),
      },
      refusal: ({ scope, va: name }) =>
        (scope === 'VA_ONLY') !== (name !== undefined) &&
        '--va is required with --scope VA_ONLY, and only there',
      run: async ({ tx, now }, { email: address, scope, va: name }) => {
        const user = await findUser(tx, address);
        const airline = name === undefined ? null : await findVa(tx, name);
        await vaWrites(tx).setAdmin(user.id, scope, airline?.id ?? null);
        if (airline) await vaWrites(tx).addMember(airline.id, user.id, now);
        return { data: { email: user.email, scope, va: airline?.name ?? null } };
      },
    }),
    'admin remove': onAdmin('Removes an admin role.', ({ removeAdmin }, id) => removeAdmin(id)),
    'admin deactivate': onAdmin(
      'Suspends an admin: the role is kept without its rights.',
      ({ setAdminActive }, id) => setAdminActive(id, false),
    ),
    'admin activate': onAdmin('Restores the rights of a suspended admin.', ({ setAdminActive }, id) =>
      setAdminActive(id, true),
    ),
    'admin list': view({
      summary: 'Lists all admins, active and suspended.',
      flags: {},
      run: async ({ db }) => ({
        data: { admins: await vaRepo(db).admins() },
        offers: ({ isActive }) => [isActive === true ? 'admin deactivate' : 'admin activate', 'admin remove'],
      }),
    }),
  },
};
