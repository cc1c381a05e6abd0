/** Applications of an account: their keys, permissions and links. */
import { z } from 'zod';
import { askPermissions, createApplication, rotateKey } from '#commands/developer-keys.ts';
import { applicationRepo } from '#store/postgres/developer-keys/developer-keys.ts';
import type { Application } from '#store/postgres/developer-keys/developer-keys.ts';
import { maxApplications, permissionTexts, permissionsText } from '#domain/developers/permissions.ts';
import type { Permissions } from '#domain/developers/permissions.ts';
import { appScheme, applicationNameSchema, devkey, returnUrlHosts } from '#operator/nouns/devkey.ts';
import { changing, runChange } from '#operator/verb.ts';
import { answerHtml } from '../console/cells.ts';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { badge, checkbox, confirmed, field, form, select } from '../site/parts.ts';
import { applicationLinks, base, checked, formTo, ownAction, ownPage, secretView } from './define.ts';
import type { Action, DeveloperTools } from './define.ts';

const pageOf = (id: number): string => `/application?id=${id}`;

const switches = ['weather', 'efb', 'library'] as const;
const levels = { userInfo: ['SIMPLE', 'MEDIUM', 'FULL'], subscription: ['READ', 'FULL'] } as const;

const yesField = () =>
  z
    .literal('yes')
    .optional()
    .transform((value) => value === 'yes');

/** The permissions of an application; `reason` is what the operator reads. */
const permissionFields = {
  weather: yesField(),
  efb: yesField(),
  library: yesField(),
  userInfo: z.enum(['', ...levels.userInfo]).transform((level) => level || null),
  subscription: z.enum(['', ...levels.subscription]).transform((level) => level || null),
  reason: z.string().trim().max(500).default(''),
};

const permissionInputs = (shown: Permissions): Html => {
  const optionsOf = (name: keyof typeof levels) =>
    levels[name].map((level) => [level, level === 'SIMPLE' ? level : `${level} *`] as const);
  return html`<fieldset>
      <legend>Permissions</legend>
      ${switches.map((name) => checkbox(`${permissionTexts[name]}${name === 'library' ? ' *' : ''}`, name, shown[name]))}
    </fieldset>
    ${(['userInfo', 'subscription'] as const).map((name) => select(permissionTexts[name], name, [['', 'none'], ...optionsOf(name)], shown[name] ?? ''))}
    ${field('Purpose', 'reason', html`maxlength="500"`, 'Permissions marked * need approval by the operator, who reads this.')}`;
};

const stateOf = ({ revokedAt, requested }: Application): Html => {
  if (revokedAt) return badge('off', 'revoked');
  return requested ? badge('late', 'pending approval') : badge('up', 'in use');
};

const firstAsked = {
  userInfo: 'SIMPLE',
  weather: true,
  efb: true,
  library: false,
  subscription: null,
} as const;

export const applicationList = async (tools: DeveloperTools) => {
  const applications = await applicationRepo(tools.db).ofOwner(tools.session.userId);
  const left = maxApplications - applications.filter(({ revokedAt }) => revokedAt === null).length;
  const rows = applications.map((each) => ({
    name: html`<a href="${base}${pageOf(each.id)}">${each.name}</a>`,
    key: html`<code>${each.hint}…</code>`,
    permissions: permissionsText(each),
    created: each.createdAt,
    state: stateOf(each),
  }));
  const inputs = html`${field('Name, which users see', 'name', html`required maxlength="100"`)} ${permissionInputs(firstAsked)}`;
  return {
    title: 'Applications',
    main: html`${answerHtml({ data: { rows } }, { caption: 'Applications' })}
      <h2>A new application</h2>
      ${
        left <= 0
          ? html`<p class="empty">An account has at most ${maxApplications} applications. Revoke one that is no longer used.</p>`
          : html`<p class="hint">Create one per app, so that each can be revoked separately. ${left} of ${maxApplications} are left.</p>
              ${form('Create application', formTo(tools, '/create'), inputs)}`
      }`,
  };
};

const forms = (found: Application, tools: DeveloperTools): Html => {
  const { id, name } = found;
  const to = (path: string) => formTo(tools, path, { id });
  return html`<div class="actions">
      ${confirmed('Rotate', 'A new key is shown once. The current one stays valid for another day, so that you can update the app.', { ...to('/rotate'), about: `the key of ${name}` })}
      ${confirmed('Revoke', 'Calls with its keys, and tokens issued for them, are refused at once. This cannot be undone.', { ...to('/revoke'), about: name })}
    </div>
    <h2>Permissions</h2>
    ${form('Change permissions', to('/permissions'), permissionInputs(found.requested ?? found))}
    <h2>Name and links</h2>
    ${form(
      'Save',
      to('/settings'),
      html`${field('Name, which users see', 'name', html`value="${name}" required maxlength="100"`)}
      ${field('Return targets of a password reset', 'returnUrlHosts', html`value="${found.returnUrlHosts.join(', ')}" maxlength="1000"`, 'Hosts and app schemes, comma-separated: efb.example, myefb:')}
      ${field('App scheme', 'appScheme', html`value="${found.appScheme ?? ''}" maxlength="44"`, 'Scheme of links that open the app, such as myefb. Empty: app.')}`,
    )}`;
};

export const application = ownPage(z.object({}), async (tools, found) => {
  const { id, previousUntil, requested } = found;
  const record = {
    state: stateOf(found),
    key: html`<code>${found.hint}…</code>`,
    previousKeyAcceptedUntil: previousUntil && previousUntil > tools.now ? previousUntil : null,
    permissions: permissionsText(found),
    askedFor: requested && permissionsText(requested),
    askedAt: found.requestedAt,
    created: found.createdAt,
  };
  return {
    title: found.name,
    main: html`${applicationLinks(id, 'Settings')} ${answerHtml({ data: { record } }, { caption: found.name })}
    ${!found.revokedAt && forms(found, tools)}`,
  };
});

const kind = 'developer key';
const applicationFormSchema = z.object({ name: applicationNameSchema, ...permissionFields });

export const applicationActions = {
  '/create': {
    audit: 'devkey create',
    run: async (tools, given) => {
      const { name, reason, ...asked } = checked(applicationFormSchema, given);
      const wanted = { ownerId: tools.session.userId, name, asked, reason };
      const made = await tools.change(async (tx, trail) => {
        const created = await createApplication(tx, tools, wanted);
        trail.created(kind, created.id);
        return created;
      });
      return secretView(`Key of ${name}`, made.key, pageOf(made.id), 'Send it as the header X-Dev-Key.');
    },
  },
  '/rotate': ownAction('devkey rotate', z.object({}), async (tools, { id, name }) => {
    const key = await changing(tools, kind, id, (tx) => rotateKey(tx, tools, { id }));
    return secretView(`New key of ${name}`, key, pageOf(id), 'The previous one stays valid for another day.');
  }),
  '/revoke': ownAction('devkey revoke', z.object({}), async (tools, { id, name }) => {
    await runChange(devkey.verbs.revoke, tools, { id });
    return { notice: `${name} is revoked.`, to: '' };
  }),
  '/permissions': ownAction(
    'devkey ask',
    z.object(permissionFields),
    async (tools, { id }, { reason, ...asked }) => {
      const isWaiting = await changing(tools, kind, id, (tx) =>
        askPermissions(tx, tools, { id, asked, reason }),
      );
      const notice = isWaiting
        ? 'Saved. Some permissions are pending approval by the operator.'
        : 'The permissions are changed.';
      return { notice, to: pageOf(id) };
    },
  ),
  '/settings': ownAction(
    'devkey update',
    z.object({
      name: applicationNameSchema,
      returnUrlHosts: returnUrlHosts.schema,
      appScheme: appScheme.schema,
    }),
    async (tools, { id }, { name, returnUrlHosts: hosts, appScheme: scheme }) => {
      const settings = { id, name, 'return-url-hosts': hosts, 'app-scheme': scheme };
      await runChange(devkey.verbs.update, tools, settings);
      return { notice: 'The settings are saved.', to: pageOf(id) };
    },
  ),
} satisfies Record<string, Action>;
