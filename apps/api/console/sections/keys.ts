/** Developer keys: list, create (shown once), revoke. */
import { z } from 'zod';
import { decideRequest } from '#commands/developer-keys/decide-request.ts';
import { applicationRepo } from '#data/postgres/developer-keys/applications.ts';
import type { PermissionRequest } from '#data/postgres/developer-keys/applications.ts';
import { permissionsText } from '#domain/developers/permissions.ts';
import { createKey } from '#commands/developer-keys/create-key.ts';
import { developerKeyRepo } from '#data/postgres/developer-keys/developer-keys.ts';
import { appScheme, applicationNameSchema, returnUrlHosts, revokeKeyVerb } from '#operator/developer-keys.ts';
import { actionOf, consoleAction, consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import {
  badge,
  button,
  checkbox,
  confirmed,
  field,
  hidden,
  idFormSchema,
  orDash,
  select,
  table,
  time,
} from '../../site/parts.ts';

/** What developers ask for, above all keys, while something waits. */
const requestTable = (requests: readonly PermissionRequest[], formToken: string) =>
  html`<h2>Requests for permissions</h2>
    ${table(
      'Requests for permissions',
      ['Id', 'Application', 'Owner', 'Has', 'Asks for', 'What for', 'Since', ''],
      requests.map((each) => {
        const shown = each.requested ? permissionsText(each.requested) : '';
        const options = { formToken, fields: { id: each.id, shown }, about: each.name };
        return [
          each.id,
          each.name,
          each.ownerEmail,
          orDash(permissionsText(each)),
          orDash(shown),
          orDash(each.requestReason),
          time(each.requestedAt),
          html`${button('Grant', { ...options, action: '/keys/grant' })}${button('Refuse', { ...options, action: '/keys/refuse', isPlain: true })}`,
        ];
      }),
    )}
    <h2>All keys</h2>`;

const list = consolePage('/keys', z.object({}), async (tools) => {
  const { db, formToken } = tools;
  const keys = await developerKeyRepo(db).list();
  const requests = await applicationRepo(db).requests();
  return {
    title: 'Developer keys',
    main: html`${requests.length > 0 && requestTable(requests, formToken)}${table(
      'Developer keys',
      ['Id', 'Name', 'Key', 'Permissions', 'Return URLs', 'App', 'Created', 'State', ''],
      keys.map((key) => [
        key.id,
        key.name,
        html`<code>${key.hint}…</code>`,
        orDash(permissionsText(key)),
        orDash(key.returnUrlHosts.join(', ')),
        `${key.appScheme ?? 'app'}://`,
        time(key.createdAt),
        key.revokedAt ? badge('off', 'revoked') : badge('up', 'in use'),
        !key.revokedAt &&
          confirmed('Revoke', 'Calls with this key are refused at once. It cannot be taken back.', {
            formToken,
            action: '/keys/revoke',
            fields: { id: key.id },
            about: key.name,
          }),
      ]),
    )}
        <h2>Create a key</h2>
        <form class="sheet" method="post" action="/console/keys/create">
          ${hidden(tools)} ${field('Name of the application', 'name', html`required maxlength="100"`)}
          ${select('User info', 'user_info', [
            ['', 'none'],
            ['SIMPLE', 'simple'],
            ['MEDIUM', 'medium'],
            ['FULL', 'full'],
          ])}
          ${select('Subscription', 'subscription', [
            ['', 'none'],
            ['READ', 'read'],
            ['FULL', 'full'],
          ])}
          <fieldset>
            <legend>May use</legend>
            ${checkbox('Weather', 'weather')}${checkbox('EFB', 'efb')}${checkbox('Library', 'library')}
          </fieldset>
          ${field('Return URLs of a password reset', 'hosts', html`maxlength="1000"`, 'Hosts and app schemes, comma-separated: efb.example, myefb:')}
          ${field('App scheme', 'scheme', html`maxlength="44"`, 'Of links into the app: myefb. Empty: app.')}
          <button>Create key</button>
        </form>`,
  };
});

const decision = (isGranted: boolean) =>
  consoleAction({
    path: isGranted ? '/keys/grant' : '/keys/refuse',
    form: idFormSchema.extend({ shown: z.string().max(200) }),
    audit: isGranted ? 'devkey grant' : 'devkey refuse',
    run: async ({ change, clock, jobs }, { id, shown }) => {
      await change((tx, trail) => decideRequest(tx, { clock, jobs, trail }, { id, isGranted, shown }));
      return { notice: `What key ${id} asks for is ${isGranted ? 'granted' : 'refused'}.`, to: '/keys' };
    },
  });

const isCheckedSchema = z
  .literal('yes')
  .optional()
  .transform((value) => value === 'yes');
const noneOr = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.union([z.literal('').transform(() => null), z.enum(values)]);

const create = consoleAction({
  path: '/keys/create',
  form: z.object({
    name: applicationNameSchema,
    user_info: noneOr(['SIMPLE', 'MEDIUM', 'FULL']),
    subscription: noneOr(['READ', 'FULL']),
    weather: isCheckedSchema,
    efb: isCheckedSchema,
    library: isCheckedSchema,
    hosts: returnUrlHosts.schema.unwrap(),
    scheme: appScheme.schema,
  }),
  audit: 'devkey create',
  run: async ({ change, clock }, { name, user_info: userInfo, hosts, scheme, ...flags }) => {
    const permissions = { ...flags, userInfo, returnUrlHosts: hosts, appScheme: scheme ?? null };
    const { id, key } = await change((tx, trail) => createKey(tx, { clock, trail }, { name, permissions }));
    return {
      view: {
        title: `Key ${id} of ${name}`,
        main: html`<p class="notice" role="status">The key is shown only now: copy it.</p>
          <p><code class="key">${key}</code></p>
          <p><a href="/console/keys">To the keys</a></p>`,
      },
    };
  },
});

const revoke = actionOf(revokeKeyVerb, { path: '/keys/revoke', audit: 'devkey revoke', to: '/keys' });

export default defineSection({
  name: 'keys',
  label: 'Developer keys',
  order: 4,
  pages: [list],
  actions: [create, revoke, decision(true), decision(false)],
});
