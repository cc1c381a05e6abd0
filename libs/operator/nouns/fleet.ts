import { fleetRepo, fleetWrites } from '#store/postgres/fleet/fleet.ts';
import { fileOf } from '#domain/fleet/row.ts';
import { findUser, findVa } from '../find.ts';
import { email, integer, maybe, maybeText, row } from '../flags.ts';
import { change, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const shownCommunity = 200;

const recommending = (isRecommended: boolean, summary: string) =>
  change({
    summary,
    flags: { id: row('fleet profile', integer('Id of the profile (fleet list).')) },
    run: ({ tx }, { id }) => fleetWrites(tx).recommend(id, isRecommended),
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
      refusal: ({ email: address, va }) =>
        address !== undefined && va !== undefined && '--email and --va exclude each other',
      run: async ({ db }, { email: address, va }) => {
        const repo = fleetRepo(db);
        const profiles =
          address !== undefined
            ? await repo.ofOwner({ userId: (await findUser(db, address)).id })
            : va !== undefined
              ? await repo.ofOwner({ vaId: (await findVa(db, va)).id })
              : await repo.community(shownCommunity);
        const shown = profiles.map((profile) => ({
          id: profile.id,
          registration: profile.registration,
          basedOn: profile.basedOnProfile,
          owner: profile.vaName ?? `user ${profile.userId}`,
          file: fileOf(profile),
          shared: profile.isShared,
          recommended: profile.isRecommended,
        }));
        return {
          data: { profiles: shown },
          offers: ({ recommended }) => [recommended === true ? 'recommend off' : 'recommend'],
        };
      },
    }),
    recommend: recommending(
      true,
      'Recommends a profile: recommended ones come first in the community fleet.',
    ),
    'recommend off': recommending(false, 'Removes the recommendation of a profile.'),
  },
};
