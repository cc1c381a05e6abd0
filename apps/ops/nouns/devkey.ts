import { z } from 'zod';
import { createKey } from '#commands/developer-keys/create-key.ts';
import { mailOwner } from '#commands/developer-keys/mail-owner.ts';
import { developerKeyRepo, developerKeyWrites } from '#data/postgres/developer-keys/developer-keys.ts';
import type { KeyPermissions, ListedKey } from '#data/postgres/developer-keys/developer-keys.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { appScheme, applicationNameSchema, returnUrlHosts, revokeKeyVerb } from '#operator/developer-keys.ts';
import { integer } from '#operator/flags.ts';

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
const permissionsSchema = z.string().transform((given, ctx): KeyPermissions => {
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
});

const permissionsText = 'For example user_info=FULL,weather,efb,library,subscription=READ; or none.';
const shown = ({ id, name, hint, createdAt, revokedAt, ...key }: ListedKey) => ({
  id,
  name,
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

const notFound = (id: number) => new OpsError('NOT_FOUND', `There is no developer key ${id}.`);

export const devkey: Noun = {
  name: 'devkey',
  summary: 'Developer keys: the applications that may call, and their permissions.',
  verbs: {
    create: verb({
      summary: 'Creates a key and shows it once.',
      flags: {
        name: { schema: applicationNameSchema, text: 'Name of the application.' },
        permissions: { schema: permissionsSchema, text: permissionsText },
        'return-url-hosts': returnUrlHosts,
        'app-scheme': appScheme,
      },
      run: async ({ change, clock }, values) => {
        const given = {
          ...values.permissions,
          returnUrlHosts: values['return-url-hosts'] ?? [],
          appScheme: values['app-scheme'] ?? null,
        };
        const { name } = values;
        const { key, id } = await change((tx, trail) =>
          createKey(tx, { clock, trail }, { name, permissions: given }),
        );
        return { data: { key, id } };
      },
    }),
    list: verb({
      summary: 'Lists all keys, without their secrets.',
      flags: {},
      run: async ({ postgres }) => {
        const keys = (await developerKeyRepo(postgres.db).list()).map(shown);
        return { data: { keys }, table: keys };
      },
    }),
    update: verb({
      summary:
        'Changes name, permissions, hosts or app scheme of a key; omitted flags leave the value unchanged.',
      flags: {
        id: integer('Id of the key.'),
        name: { schema: applicationNameSchema.optional(), text: 'New name.' },
        permissions: {
          schema: permissionsSchema.optional(),
          text: `Replaces all permissions. ${permissionsText}`,
        },
        'return-url-hosts': returnUrlHosts,
        'app-scheme': appScheme,
      },
      run: async ({ change, clock, queues }, values) => {
        const { producer: jobs } = await queues();
        const after = await change(async (tx, trail) => {
          await trail.changing('developer key', values.id);
          const before = await developerKeyRepo(tx).byId(values.id);
          if (!before) throw notFound(values.id);
          await developerKeyWrites(tx).update(values.id, values.name ?? before.name, {
            ...(values.permissions ?? before),
            returnUrlHosts: values['return-url-hosts'] ?? before.returnUrlHosts,
            appScheme: values['app-scheme'] === undefined ? before.appScheme : values['app-scheme'],
          });
          const what = values.permissions ? 'permissions' : 'settings';
          await mailOwner(tx, { clock, jobs }, { id: values.id, what, by: 'operator' });
          return developerKeyRepo(tx).byId(values.id);
        });
        return { data: { devkey: after && shown(after) }, table: after ? [shown(after)] : [] };
      },
    }),
    delete: verb({
      summary: 'Deletes a key with which no account was registered; others can be revoked.',
      flags: { id: integer('Id of the key.') },
      run: async ({ change }, { id }) => {
        await change(async (tx, trail) => {
          await trail.changing('developer key', id);
          if ((await developerKeyWrites(tx).delete(id)) === 0)
            throw new OpsError('NOT_FOUND', `There is no developer key ${id} without accounts.`);
        });
        return { data: { id, deleted: true } };
      },
    }),
    revoke: revokeKeyVerb,
  },
};
