import { deleteAirline } from '#commands/virtual-airlines/delete-airline.ts';
import { saveAirline } from '#commands/virtual-airlines/save-airline.ts';
import { vaRepo, vaWrites } from '#data/postgres/virtual-airlines/virtual-airlines.ts';
import { OpsError, verb } from '../command.ts';
import { UsageError } from '#operator/verb.ts';
import type { Noun } from '../command.ts';
import { findUser, findVa, holdVa } from '#operator/find.ts';
import { email, flagSwitch, maybeInteger, maybeText, oneOf, text } from '#operator/flags.ts';
import { blankVa, changedVa, logoFilesOf, maybeVaName, vaDetails, vaName } from '../va-details.ts';

const membership = { va: text('Name of the airline.'), email: email() };

/** Deactivates or activates an admin; the role itself is kept. */
const activating = (isActive: boolean, summary: string) =>
  verb({
    summary,
    flags: { email: email() },
    run: async ({ postgres, change }, values) => {
      const user = await findUser(postgres.db, values.email);
      await change(async (tx, trail) => {
        await trail.changing('admin role', user.id);
        if ((await vaWrites(tx).setAdminActive(user.id, isActive)) === 0)
          throw new OpsError('NOT_AN_ADMIN', `${user.email} is not an admin.`);
      });
      return { data: { email: user.email, active: isActive } };
    },
  });

export const va: Noun = {
  name: 'va',
  summary: 'Virtual airlines, their members and admins.',
  verbs: {
    create: verb({
      summary: 'Creates an airline.',
      flags: { name: vaName, ...vaDetails },
      run: async ({ change }, { name, ...values }) => {
        const logos = await logoFilesOf(values);
        const row = changedVa({ ...blankVa, name }, values);
        const id = await change(async (tx, trail) => {
          const created = await vaWrites(tx).create(row);
          trail.created('airline', created);
          await saveAirline(tx, {}, { airline: { ...row, id: created }, logos });
          return created;
        });
        return { data: { id, name } };
      },
    }),
    list: verb({
      summary: 'Lists airlines by name.',
      flags: {
        search: maybeText('Part of the name.'),
        limit: maybeInteger('Maximum number of rows; default 100.'),
        offset: maybeInteger('Rows before the first one; default 0.'),
      },
      run: async ({ postgres: { db } }, { search = '', limit = 100, offset = 0 }) => {
        const airlines = await vaRepo(db).list(search, limit, offset);
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
    show: verb({
      summary: 'Shows an airline with the numbers of what belongs to it.',
      flags: { va: membership.va },
      run: async ({ postgres: { db } }, values) => {
        const found = await findVa(db, values.va);
        const shown = { ...found, ...(await vaRepo(db).counts(found.id)) };
        return { data: { va: shown }, record: shown };
      },
    }),
    update: verb({
      summary: 'Changes an airline; omitted flags leave the value unchanged.',
      flags: { va: text('Current name.'), name: maybeVaName, ...vaDetails },
      run: async ({ change }, { va: current, name, ...values }) => {
        const logos = await logoFilesOf(values);
        const after = await change(async (tx, trail) => {
          const before = await holdVa(tx, current);
          await trail.changing('airline', before.id);
          const airline = changedVa({ ...before, name: name ?? before.name }, values);
          return saveAirline(tx, {}, { airline, logos });
        });
        return { data: { va: after } };
      },
    }),
    delete: verb({
      summary: 'Deletes an airline with all that it owns, for good; its members and admins remain users.',
      isIrreversible: true,
      flags: { va: membership.va },
      run: async ({ change, clock, queues }, values) => {
        const { producer: jobs } = await queues();
        const { id, name } = await change(async (tx, trail) => {
          const found = await holdVa(tx, values.va);
          await trail.changing('airline', found.id);
          await deleteAirline(tx, { clock, jobs }, { vaId: found.id });
          return found;
        });
        return { data: { id, name, deleted: true } };
      },
    }),
    'member add': verb({
      summary: 'Adds a user as a member.',
      flags: { ...membership, active: flagSwitch('Also makes it the active airline of the user.') },
      run: async ({ change, clock }, values) => {
        const result = await change(async (tx, trail) => {
          const [airline, user] = [await findVa(tx, values.va), await findUser(tx, values.email)];
          await trail.changing('membership', `${airline.id}:${user.id}`);
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
        await change(async (tx, trail) => {
          const [airline, user] = [await findVa(tx, values.va), await findUser(tx, values.email)];
          await trail.changing('membership', `${airline.id}:${user.id}`);
          if ((await vaWrites(tx).removeMember(airline.id, user.id)) === 0)
            throw new OpsError('NOT_A_MEMBER', `${values.email} is not a member of ${values.va}.`);
        });
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
      run: async ({ change, clock }, values) => {
        if ((values.scope === 'VA_ONLY') !== (values.va !== undefined)) {
          throw new UsageError('--va is required with --scope VA_ONLY, and only there');
        }
        const result = await change(async (tx, trail) => {
          const user = await findUser(tx, values.email);
          await trail.changing('admin role', user.id);
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
      run: async ({ postgres, change }, values) => {
        const user = await findUser(postgres.db, values.email);
        await change(async (tx, trail) => {
          await trail.changing('admin role', user.id);
          if ((await vaWrites(tx).removeAdmin(user.id)) === 0)
            throw new OpsError('NOT_AN_ADMIN', `${user.email} is not an admin.`);
        });
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
