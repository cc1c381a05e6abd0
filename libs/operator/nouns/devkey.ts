import { z } from 'zod';
import { mailOwner, revokeKey } from '#commands/developer-keys.ts';
import { applicationRepo, applicationWrites } from '#store/postgres/developer-keys/applications.ts';
import { developerKeyRepo, developerKeyWrites } from '#store/postgres/developer-keys/developer-keys.ts';
import type { KeyPermissions, ListedKey } from '#store/postgres/developer-keys/developer-keys.ts';
import { webhookEndpointRepo } from '#store/postgres/webhooks/endpoints.ts';
import { permissionsText } from '#domain/developers/permissions.ts';
import { appScheme, applicationNameSchema, returnUrlHosts } from '../developer-keys.ts';
import { integer, maybe, row } from '../flags.ts';
import { creating, found, verb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const none: KeyPermissions = {
  userInfo: null,
  weather: false,
  efb: false,
  library: false,
  subscription: null,
  returnUrlHosts: [],
  appScheme: null,
};

const userInfoSchema = z.enum(['SIMPLE', 'MEDIUM', 'FULL']);
const subscriptionSchema = z.enum(['READ', 'FULL']);

/** `user_info=FULL,weather,efb,library,subscription=READ`; `none` for a key without any. */
const permissions = {
  schema: z.string().transform((given, ctx): KeyPermissions => {
    const result: { -readonly [K in keyof KeyPermissions]: KeyPermissions[K] } = { ...none };
    for (const part of given.split(',').map((word) => word.trim())) {
      const [name, value] = part.split('=', 2);
      const isFlag = value === undefined;
      if (part === 'none') continue;
      else if (isFlag && (name === 'weather' || name === 'efb' || name === 'library')) result[name] = true;
      else if (name === 'user_info' && userInfoSchema.safeParse(value).success)
        result.userInfo = userInfoSchema.parse(value);
      else if (name === 'subscription' && subscriptionSchema.safeParse(value).success)
        result.subscription = subscriptionSchema.parse(value);
      else {
        ctx.addIssue(
          `"${part}" is not a permission: user_info=SIMPLE|MEDIUM|FULL, weather, efb, library, subscription=READ|FULL, none`,
        );
        return z.NEVER;
      }
    }
    return result;
  }),
  text: 'For example user_info=FULL,weather,efb,library,subscription=READ; or none.',
};

const name = { schema: applicationNameSchema, text: 'Name of the application.' };
const links = { 'return-url-hosts': returnUrlHosts, 'app-scheme': appScheme };
const kind = 'developer key';
const byId = { id: row(kind, integer('Id of the key.')) };

const shownOf = ({ id, name: shownName, hint, createdAt, revokedAt, ...key }: ListedKey) => ({
  id,
  name: shownName,
  hint: `${hint}…`,
  user_info: key.userInfo,
  weather: key.weather,
  efb: key.efb,
  library: key.library,
  subscription: key.subscription,
  returnUrlHosts: key.returnUrlHosts,
  appScheme: key.appScheme,
  createdAt,
  revokedAt,
});

const deciding = (isGranted: boolean, summary: string) =>
  verb({
    summary,
    isDecision: true,
    flags: { id: row(kind, integer('Id of the key (devkey requests).')) },
    run: async (tools, { id }) => {
      const { producer: jobs } = await tools.queues();
      const { clock } = tools;
      await tools.change(async (tx) => {
        const applications = applicationWrites(tx);
        const waiting = found(
          await applications.lockRequest(id),
          `Developer key ${id} has no pending permission request.`,
        );
        if (isGranted) await applications.setPermissions(id, waiting);
        await applications.setRequest(id, null, null, clock.now());
        const what = isGranted ? 'granted' : 'refused';
        await mailOwner(tx, { clock, jobs }, { id, what, by: 'operator' });
      });
      return { data: { id, isGranted } };
    },
  });

export const devkey: Noun = {
  name: 'devkey',
  title: 'Developer keys',
  summary: 'Developer keys: the applications that may call, and their permissions.',
  kind,
  verbs: {
    create: verb({
      summary: 'Creates a key and shows it once.',
      isShownOnce: true,
      flags: { name, permissions, ...links },
      run: async (tools, values) => {
        const permissionsOfKey = {
          ...values.permissions,
          returnUrlHosts: values['return-url-hosts'] ?? [],
          appScheme: values['app-scheme'] ?? null,
        };
        const { key, id } = await creating(
          tools,
          kind,
          (tx) => developerKeyWrites(tx).create(values.name, permissionsOfKey, tools.clock.now()),
          (made) => made.id,
        );
        return { data: { key, id } };
      },
    }),
    list: view({
      summary: 'Lists all keys, without their secrets.',
      flags: {},
      run: async ({ postgres: { db } }) => ({
        data: { keys: (await developerKeyRepo(db).list()).map(shownOf) },
      }),
    }),
    show: view({
      summary: 'Shows a key with its webhooks.',
      flags: byId,
      run: async ({ postgres: { db } }, { id }) => {
        const key = shownOf(found(await developerKeyRepo(db).byId(id), `There is no developer key ${id}.`));
        const owner = await applicationRepo(db).ownerEmail(id);
        const endpoints = await webhookEndpointRepo(db).list(id);
        return {
          data: { devkey: { ...key, owner }, endpoints },
          record: { ...key, email: owner },
          tables: { Webhooks: endpoints.map(({ id: endpoint, ...rest }) => ({ endpoint, ...rest })) },
        };
      },
    }),
    requests: view({
      summary: 'Lists what developers ask for and the operator has to decide, oldest first.',
      flags: {},
      run: async ({ postgres: { db } }) => {
        const requests = (await applicationRepo(db).requests()).map((each) => ({
          id: each.id,
          name: each.name,
          email: each.ownerEmail,
          has: permissionsText(each),
          asks: each.requested && permissionsText(each.requested),
          reason: each.requestReason,
          since: each.requestedAt,
        }));
        return {
          data: { requests },
          actionsOf: ({ id }) => ({ grant: { id }, refuse: { id } }),
        };
      },
    }),
    grant: deciding(true, 'Grants what an application asks for.'),
    refuse: deciding(false, 'Refuses what an application asks for; it keeps what it has.'),
    update: verb({
      summary:
        'Changes name, permissions, hosts or app scheme of a key; omitted flags leave the value unchanged.',
      flags: {
        ...byId,
        name: maybe(name, 'New name.'),
        permissions: maybe(permissions, `Replaces all permissions. ${permissions.text}`),
        ...links,
      },
      run: async (tools, { id, ...values }) => {
        const { producer: jobs } = await tools.queues();
        const after = await tools.change(async (tx) => {
          const before = found(await developerKeyRepo(tx).byId(id), `There is no developer key ${id}.`);
          await developerKeyWrites(tx).update(id, values.name ?? before.name, {
            ...(values.permissions ?? before),
            returnUrlHosts: values['return-url-hosts'] ?? before.returnUrlHosts,
            appScheme: values['app-scheme'] === undefined ? before.appScheme : values['app-scheme'],
          });
          const what = values.permissions ? 'permissions' : 'settings';
          await mailOwner(tx, { clock: tools.clock, jobs }, { id, what, by: 'operator' });
          return developerKeyRepo(tx).byId(id);
        });
        return { data: { devkey: after && shownOf(after) } };
      },
    }),
    delete: verb({
      summary: 'Deletes a key with which no account was registered; others can be revoked.',
      flags: byId,
      isLast: true,
      run: async (tools, { id }) => {
        await tools.change(async (tx) =>
          found(await developerKeyWrites(tx).delete(id), `There is no developer key ${id} without accounts.`),
        );
        return { data: { id, deleted: true } };
      },
    }),
    revoke: verb({
      summary: 'Revokes a key immediately.',
      flags: byId,
      run: async (tools, { id }) => {
        const { producer: jobs } = await tools.queues();
        const { clock } = tools;
        await tools.change((tx) => revokeKey(tx, { clock, jobs }, { id, by: 'operator' }));
        return { data: { id, revoked: true }, notice: `Key ${id} is revoked.` };
      },
    }),
  },
};
