/** One application: its key, permissions, targets of links. */
import { z } from 'zod';
import { askPermissions, editApplication, revokeKey, rotateKey } from '#commands/developer-keys.ts';
import type { Application } from '#store/postgres/developer-keys/applications.ts';
import { permissionsText } from '#domain/developers/permissions.ts';
import { appScheme, applicationNameSchema, returnUrlHosts } from '#operator/developer-keys.ts';
import { changing } from '#operator/verb.ts';
import { confirmed, facts, field, hidden, orDash, time } from '../../site/parts.ts';
import { html } from '../../pages/html.ts';
import {
  base,
  developerAction,
  developerPage,
  idSchema,
  ownApplication,
  ownApplicationInUse,
} from '../define.ts';
import type { DeveloperTools } from '../define.ts';
import { keyView, stateOf } from './applications.ts';
import { askedOf, permissionFields, permissionInputs } from './permissions-form.ts';

const pageOf = (id: number): string => `/application?id=${id}`;

/** The pages of one application. */
export const applicationLinks = (id: number, current: string) => {
  const links = [
    [pageOf(id), 'Settings'],
    [`/usage?id=${id}`, 'Usage and calls'],
    [`/endpoints?id=${id}`, 'Webhooks'],
  ] as const;
  return html`<nav class="filters" aria-label="Application">
    <ul>
      ${links.map(
        ([path, text]) =>
          html`<li><a href="${base}${path}" ${text === current && html` aria-current="true"`}>${text}</a></li>`,
      )}
    </ul>
  </nav>`;
};

const keyActions = ({ id, name }: Application, { formToken }: DeveloperTools) =>
  html`<div class="actions">
    ${confirmed(
      'Rotate',
      'A new key is shown once. The present one works for another day, so that the app can be changed.',
      {
        base,
        formToken,
        action: '/rotate',
        fields: { id },
        about: `the key of ${name}`,
      },
    )}
    ${confirmed(
      'Revoke',
      'Calls with its keys, and tokens that were issued for them, are refused at once. It cannot be taken back.',
      {
        base,
        formToken,
        action: '/revoke',
        fields: { id },
        about: name,
      },
    )}
  </div>`;

const forms = (found: Application, tools: DeveloperTools) =>
  html`${keyActions(found, tools)}
    <h2>Permissions</h2>
    <form class="sheet" method="post" action="${base}/permissions">
      ${hidden(tools, { id: found.id })} ${permissionInputs(found.requested ?? found)}
      <button>Change permissions</button>
    </form>
    <h2>Name and links</h2>
    <form class="sheet" method="post" action="${base}/settings">
      ${hidden(tools, { id: found.id })} ${field('Name, which users see', 'name', html`value="${found.name}" required maxlength="100"`)}
      ${field('Return targets of a password reset', 'hosts', html`value="${found.returnUrlHosts.join(', ')}" maxlength="1000"`, 'Hosts and app schemes, comma-separated: efb.example, myefb:')}
      ${field('App scheme', 'scheme', html`value="${found.appScheme ?? ''}" maxlength="44"`, 'Of links into the app: myefb. Empty: app.')}
      <button>Save</button>
    </form>`;

export const application = developerPage(
  '/application',
  z.object({ id: idSchema }),
  async (tools, { id }) => {
    const found = await ownApplication(tools, id);
    const { previousUntil } = found;
    return {
      title: found.name,
      main: html`${applicationLinks(id, 'Settings')}
      ${facts([
        ['State', stateOf(found)],
        ['Key', html`<code>${found.hint}…</code>`],
        [
          'Key before',
          previousUntil && previousUntil > tools.now
            ? html`accepted until ${time(previousUntil)} UTC`
            : orDash(null),
        ],
        ['Permissions', orDash(permissionsText(found))],
        [
          'Asked for',
          found.requested
            ? html`${permissionsText(found.requested)}, ${time(found.requestedAt)} UTC`
            : orDash(null),
        ],
        ['Created', time(found.createdAt)],
      ])}
      ${!found.revokedAt && forms(found, tools)}`,
    };
  },
);

const byId = { id: idSchema };
const kind = 'developer key';

export const applicationActions = [
  developerAction({
    path: '/rotate',
    audit: 'devkey rotate',
    form: z.object(byId),
    run: async (tools, { id }) => {
      const { name } = await ownApplicationInUse(tools, id);
      const { key } = await changing(tools, kind, id, (tx) => rotateKey(tx, tools, { id }));
      return keyView(`New key of ${name}`, { id, key }, 'The one before works for another day.');
    },
  }),
  developerAction({
    path: '/revoke',
    audit: 'devkey revoke',
    form: z.object(byId),
    run: async (tools, { id }) => {
      const { name } = await ownApplicationInUse(tools, id);
      await changing(tools, kind, id, (tx) => revokeKey(tx, tools, { id, by: 'owner' }));
      return { notice: `${name} is revoked.`, to: '' };
    },
  }),
  developerAction({
    path: '/permissions',
    audit: 'devkey ask',
    form: z.object({ ...byId, ...permissionFields }),
    run: async (tools, { id, ...fields }) => {
      await ownApplicationInUse(tools, id);
      const asked = { id, asked: askedOf(fields), reason: fields.reason };
      const isWaiting = await changing(tools, kind, id, (tx) => askPermissions(tx, tools, asked));
      const notice = isWaiting
        ? 'Saved. Some permissions are pending approval by the operator.'
        : 'The permissions are changed.';
      return { notice, to: pageOf(id) };
    },
  }),
  developerAction({
    path: '/settings',
    audit: 'devkey update',
    form: z.object({
      ...byId,
      name: applicationNameSchema,
      hosts: returnUrlHosts.schema.unwrap(),
      scheme: appScheme.schema.unwrap(),
    }),
    run: async (tools, { id, name, hosts, scheme }) => {
      await ownApplicationInUse(tools, id);
      const settings = { id, name, returnUrlHosts: hosts, appScheme: scheme };
      await changing(tools, kind, id, (tx) => editApplication(tx, tools, settings));
      return { notice: 'The settings are saved.', to: pageOf(id) };
    },
  }),
];
