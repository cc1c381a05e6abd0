import { fleetRepo, fleetWrites } from '#store/postgres/fleet/fleet.ts';
import { fileOf } from '#domain/fleet/row.ts';
import type { FleetOwner } from '#domain/fleet/types.ts';
import { findUser, findVa } from '../find.ts';
import { email, integer, maybe, maybeText, row } from '../flags.ts';
import { found, UsageError, verb, view } from '../verb.ts';
import type { Noun, ViewTools } from '../verb.ts';

const shownCommunity = 200;

const ownerOf = async (
  { postgres: { db } }: ViewTools,
  { email: address, va }: { email?: string | undefined; va?: string | undefined },
): Promise<FleetOwner | null> => {
  if (address !== undefined && va !== undefined) throw new UsageError('--email and --va exclude each other');
  if (address !== undefined) return { userId: (await findUser(db, address)).id };
  return va === undefined ? null : { vaId: (await findVa(db, va)).id };
};

const recommending = (isRecommended: boolean, summary: string) =>
  verb({
    summary,
    flags: { id: row('fleet profile', integer('Id of the profile (fleet list).')) },
    run: async ({ change }, { id }) => {
      await change(async (tx) =>
        found(await fleetWrites(tx).recommend(id, isRecommended), `There is no fleet profile ${id}.`),
      );
      return { data: { id, recommended: isRecommended } };
    },
  });

export const fleet: Noun = {
  name: 'fleet',
  title: 'Fleet',
  summary: 'Fleet profiles of users and airlines.',
  kind: 'fleet profile',
  verbs: {
    list: view({
      summary: 'Lists the profiles of a user or an airline; without either the first 200 that are shared.',
      flags: {
        email: maybe(email, 'Email address of the owner.'),
        va: maybeText('Name of the airline that owns them.'),
      },
      run: async (tools, values) => {
        const owner = await ownerOf(tools, values);
        const repo = fleetRepo(tools.postgres.db);
        const profiles = owner ? (await repo.ofOwner(owner)).profiles : await repo.community(shownCommunity);
        const table = profiles.map((profile) => ({
          id: profile.id,
          registration: profile.registration,
          basedOn: profile.basedOnProfile,
          owner: profile.vaName ?? `user ${profile.userId}`,
          file: fileOf(profile),
          shared: profile.isShared,
          recommended: profile.isRecommended,
        }));
        return {
          data: { profiles: table },
          table,
          actionsOf: ({ id, recommended }) => ({
            [recommended === true ? 'recommend off' : 'recommend']: { id },
          }),
        };
      },
    }),
    recommend: recommending(true, 'Marks a profile as recommended: the first ones in the community fleet.'),
    'recommend off': recommending(false, 'Removes that mark.'),
  },
};
