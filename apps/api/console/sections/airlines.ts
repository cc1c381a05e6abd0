/** Virtual airlines: list and details. */
import { z } from 'zod';
import { vaRepo } from '#data/postgres/virtual-airlines/virtual-airlines.ts';
import { DomainError } from '#domain/errors.ts';
import { consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import {
  badge,
  facts,
  idFormSchema,
  listQuery,
  orDash,
  paged,
  pageSize,
  searchForm,
  table,
  time,
  yesNo,
} from '../../site/parts.ts';

const list = consolePage('/airlines', z.object(listQuery), async ({ db }, { page, search }) => {
  const found = await vaRepo(db).list(search, pageSize + 1, (page - 1) * pageSize);
  const { rows, links } = paged(found, page, '/airlines', { search });
  return {
    title: 'Virtual airlines',
    main: html`${searchForm('/airlines', 'Name', search)}
      ${table(
        'Virtual airlines',
        ['Id', 'Name', 'Website', 'Partner', 'Library MB'],
        rows.map((airline) => [
          airline.id,
          html`<a href="/console/airlines/show?id=${airline.id}">${airline.name}</a>`,
          orDash(airline.website),
          yesNo(airline.isPartner),
          airline.libraryQuotaMb,
        ]),
      )}
      ${links}`,
  };
});

const maxMembers = 500;

const show = consolePage('/airlines/show', idFormSchema, async ({ db }, { id }) => {
  const airline = await vaRepo(db).byId(id);
  if (!airline) throw new DomainError('NOT_FOUND', {}, `There is no virtual airline ${id}.`);
  const counts = await vaRepo(db).counts(id);
  const members = (await vaRepo(db).members(id)).slice(0, maxMembers);
  const admins = (await vaRepo(db).admins()).filter(
    ({ va, scope }) => va === airline.name || scope === 'FULL',
  );
  return {
    title: airline.name,
    main: html`${facts([
      ['Website', orDash(airline.website)],
      ['Contact', orDash(airline.contactEmail)],
      ['Partner', yesNo(airline.isPartner)],
      ['Legacy name', orDash(airline.legacyName)],
      ['Members', counts.members],
      ['Fleet profiles', counts.fleetProfiles],
      ['Checklists', counts.checklists],
      ['Library', `${(counts.libraryBytes / 1_048_576).toFixed(1)} of ${airline.libraryQuotaMb} MB`],
    ])}
        <p class="hint">
          Changes: <code>npm run ops -- va</code>.
          <a href="/console/audit?kind=airline&amp;subject=${id}">Changes by operators</a>
        </p>
        <h2>Admins</h2>
        ${table(
          'Admins',
          ['Email', 'Scope', 'State'],
          admins.map((admin) => [
            admin.email,
            admin.scope === 'FULL' ? 'all airlines' : 'this airline',
            admin.isActive ? badge('up', 'active') : badge('off', 'suspended'),
          ]),
        )}
        <h2>Members</h2>
        ${table(
          'Members',
          ['Email', 'Since'],
          members.map((member) => [
            html`<a href="/console/users/show?id=${member.userId}">${member.email}</a>`,
            time(member.joinedAt),
          ]),
        )}`,
  };
});

export default defineSection({
  name: 'airlines',
  label: 'Airlines',
  order: 10,
  pages: [list, show],
  actions: [],
});
