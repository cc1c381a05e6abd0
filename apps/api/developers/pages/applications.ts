/** The first page: applications of the account, and a new one. */
import { z } from 'zod';
import { createApplication } from '#commands/developer-keys.ts';
import { applicationRepo } from '#store/postgres/developer-keys/applications.ts';
import type { Application } from '#store/postgres/developer-keys/applications.ts';
import { maxApplications } from '#domain/developers/limits.ts';
import { permissionsText } from '#domain/developers/permissions.ts';
import { badge, field, hidden, orDash, shownOnce, table, time } from '../../site/parts.ts';
import { applicationNameSchema } from '#operator/developer-keys.ts';
import { creating } from '#operator/verb.ts';
import { html } from '../../pages/html.ts';
import { base, developerAction, developerPage } from '../define.ts';
import { askedOf, permissionFields, permissionInputs } from './permissions-form.ts';

export const stateOf = ({ revokedAt, requested }: Pick<Application, 'revokedAt' | 'requested'>) => {
  if (revokedAt) return badge('off', 'revoked');
  return requested ? badge('late', 'waits for the operator') : badge('up', 'in use');
};

const firstAsked = {
  userInfo: 'SIMPLE',
  weather: true,
  efb: true,
  library: false,
  subscription: null,
} as const;

export const applicationList = developerPage('', z.object({}), async (tools) => {
  const applications = await applicationRepo(tools.db).ofOwner(tools.session.userId);
  const inUse = applications.filter(({ revokedAt }) => revokedAt === null).length;
  const rows = applications.map((each) => [
    html`<a href="${base}/application?id=${each.id}">${each.name}</a>`,
    html`<code>${each.hint}…</code>`,
    orDash(permissionsText(each)),
    time(each.createdAt),
    stateOf(each),
  ]);
  return {
    title: 'Applications',
    main: html`${table('Applications', ['Name', 'Key', 'Permissions', 'Created', 'State'], rows)}
        <h2>A new application</h2>
        ${
          inUse >= maxApplications
            ? html`<p class="empty">An account has at most ${maxApplications} applications. Revoke one that is no longer used.</p>`
            : html`<p class="hint">One for each app, so that each can be revoked alone. ${maxApplications - inUse} of ${maxApplications} are left.</p>
                <form class="sheet" method="post" action="${base}/create">
                  ${hidden(tools)} ${field('Name, which users see', 'name', html`required maxlength="100"`)}
                  ${permissionInputs(firstAsked)}
                  <button>Create application</button>
                </form>`
        }`,
  };
});

export const keyView = (title: string, { id, key }: { id: number; key: string }, more: string) =>
  shownOnce(
    title,
    html`<p><code class="key">${key}</code></p>`,
    { href: `${base}/application?id=${id}`, text: 'To the application' },
    more,
  );

export const createAction = developerAction({
  path: '/create',
  audit: 'devkey create',
  form: z.object({ name: applicationNameSchema, ...permissionFields }),
  run: async (tools, { name, ...fields }) => {
    const given = { ownerId: tools.session.userId, name, asked: askedOf(fields), reason: fields.reason };
    const made = await creating(
      tools,
      'developer key',
      (tx) => createApplication(tx, tools, given),
      ({ id }) => id,
    );
    return keyView(`Key of ${name}`, made, 'Send it as the header X-Dev-Key.');
  },
});
