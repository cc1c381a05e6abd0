import { z } from 'zod';
import { mailOwner, revokeKey } from '#commands/developer-keys.ts';
import {
  applicationRepo,
  applicationWrites,
  developerKeyRepo,
  developerKeyWrites,
} from '#store/postgres/developer-keys/developer-keys.ts';
import { webhookEndpointRepo } from '#store/postgres/webhooks/endpoints.ts';
import { noPermissions, permissionsText } from '#domain/developers/permissions.ts';
import { isPrintable } from '#domain/text/controls.ts';
import { appSchemeOf, returnUrlEntry } from '#domain/users/return-url.ts';
import { givenOf, integer, maybe, maybeYesNo, row, parsed } from '../flags.ts';
import { change, found, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

/** Shown to users in mails and when they approve a device login. */
export const applicationNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(isPrintable, 'must not have invisible characters or line breaks');

export const returnUrlHosts = {
  schema: z
    .string()
    .transform((given, ctx): string[] => {
      const parts = given.split(',').filter((part) => part.trim() !== '');
      const entries = parts.map(returnUrlEntry);
      const wrong = parts.find((_, index) => entries[index] === null);
      if (wrong === undefined) return entries.filter((entry) => entry !== null);
      ctx.addIssue(
        `"${wrong.trim()}" is neither a host such as efb.example nor an app scheme such as myefb:`,
      );
      return z.NEVER;
    })
    .optional(),
  text: 'Targets that a password reset may return to: hosts of https URLs and app schemes such as myefb:, comma-separated; "" for none.',
};

export const appScheme = parsed(
  z
    .string()
    .transform(appSchemeOf)
    .refine((scheme) => scheme !== null, 'must be the scheme of an app such as myefb')
    .nullable(),
  'Scheme of the links into the app, such as myefb; "" for app.',
);

/** `none` takes the permission away. */
const level = <const T extends string>(levels: readonly T[], help: string) => ({
  schema: z
    .enum(['none', ...levels], `must be one of none, ${levels.join(', ')}`)
    .transform((value) => (value === 'none' ? null : (value as T)))
    .optional(),
  text: `${help}: none, ${levels.join(', ')}.`,
});
const permissions = {
  userInfo: level(['SIMPLE', 'MEDIUM', 'FULL'], 'Who the user is'),
  weather: maybeYesNo('Weather, winds and routes.'),
  efb: maybeYesNo('Navigation data and the EFB.'),
  library: maybeYesNo('Documents of the user and of airlines.'),
  subscription: level(['READ', 'FULL'], 'Subscriptions'),
};

const name = { schema: applicationNameSchema, text: 'Name of the application.' };
const kind = 'developer key';
const byId = { id: row(kind, integer('Id of the key.')) };

const deciding = (isGranted: boolean, summary: string) =>
  change({
    summary,
    isDecision: true,
    flags: { id: row(kind, integer('Id of the key (devkey requests).')) },
    run: async (tools, { id }) => {
      const applications = applicationWrites(tools.tx);
      const waiting = found(
        await applications.lockRequest(id),
        `Developer key ${id} has no pending permission request.`,
      );
      if (isGranted) await applications.setPermissions(id, waiting);
      await applications.setRequest(id, null, null, tools.now);
      await mailOwner(tools.tx, tools, { id, what: isGranted ? 'granted' : 'refused', by: 'operator' });
    },
  });

/** Developers run `update` and `revoke` on their own keys. */
export const devkey = {
  name: 'devkey',
  title: 'Developer keys',
  summary: 'Developer keys: the applications that may call, and their permissions.',
  kind,
  verbs: {
    create: change({
      summary: 'Creates a key and shows it once.',
      isShownOnce: true,
      flags: { name, ...permissions, returnUrlHosts, appScheme },
      run: async ({ tx, trail, now }, { name: given, ...flags }) => {
        const held = { ...noPermissions, returnUrlHosts: [], appScheme: null, ...givenOf(flags) };
        const { key, id } = await developerKeyWrites(tx).create(given, held, now);
        trail.created(kind, id);
        return { data: { key, id } };
      },
    }),
    list: view({
      summary: 'Lists all keys, without their secrets.',
      flags: {},
      run: async ({ db }) => ({ data: { keys: await developerKeyRepo(db).list() } }),
    }),
    show: view({
      summary: 'Shows a key with its webhooks.',
      flags: byId,
      run: async ({ db }, { id }) => {
        const key = found(await developerKeyRepo(db).byId(id), `There is no developer key ${id}.`);
        return {
          data: {
            devkey: { ...key, owner: await applicationRepo(db).ownerEmail(id) },
            endpoints: await webhookEndpointRepo(db).list(id),
          },
        };
      },
    }),
    requests: view({
      summary: 'Lists pending permission requests of developers, oldest first.',
      flags: {},
      run: async ({ db }) => ({
        data: {
          requests: (await applicationRepo(db).requests()).map((each) => ({
            ...each,
            has: permissionsText(each),
            asks: each.requested && permissionsText(each.requested),
          })),
        },
        columns: { requests: 'id name ownerEmail has asks requestReason requestedAt' },
        offers: () => ['grant', 'refuse'],
      }),
    }),
    grant: deciding(true, 'Grants the permissions that an application requests.'),
    refuse: deciding(false, 'Refuses the request of an application, whose permissions stay unchanged.'),
    update: change({
      summary:
        'Changes name, permissions, hosts or app scheme of a key; omitted flags leave the value unchanged.',
      flags: {
        ...byId,
        name: maybe(name, 'New name.'),
        ...permissions,
        returnUrlHosts,
        appScheme,
      },
      run: async ({ by = 'operator', ...tools }, { id, ...flags }) => {
        const before = found(await developerKeyRepo(tools.tx).byId(id), `There is no developer key ${id}.`);
        const given = givenOf(flags);
        await developerKeyWrites(tools.tx).update(id, { name: before.name, ...given });
        const isPermitted = Object.keys(permissions).some((each) => each in given);
        await mailOwner(tools.tx, tools, { id, what: isPermitted ? 'permissions' : 'settings', by });
        return { data: { devkey: { ...before, ...given } } };
      },
    }),
    delete: change({
      summary: 'Deletes a key with which no account was registered; others can be revoked.',
      flags: byId,
      isLast: true,
      run: ({ tx }, { id }) => developerKeyWrites(tx).delete(id),
    }),
    revoke: change({
      summary: 'Revokes a key immediately.',
      flags: byId,
      run: async ({ by = 'operator', ...tools }, { id }) => {
        await revokeKey(tools.tx, tools, { id, by });
        return `Key ${id} is revoked.`;
      },
    }),
  },
} satisfies Noun;
