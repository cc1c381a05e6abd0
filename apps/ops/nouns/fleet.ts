import { fleetRepo, fleetWrites } from '#data/postgres/fleet/fleet.ts';
import { fileOf } from '#domain/fleet/row.ts';
import type { FleetOwner } from '#domain/fleet/types.ts';
import { OpsError, verb } from '../command.ts';
import { UsageError } from '#operator/verb.ts';
import type { Noun, Ops } from '../command.ts';
import type { Answer } from '#operator/verb.ts';
import { findUser, findVa } from '#operator/find.ts';
import { email, integer, maybeText } from '#operator/flags.ts';

const shownCommunity = 200;

const ownerOf = async (
  { postgres: { db } }: Ops,
  { email: address, va }: { email?: string | undefined; va?: string | undefined },
): Promise<FleetOwner | null> => {
  if (address !== undefined && va !== undefined) throw new UsageError('--email and --va exclude each other');
  if (address !== undefined) return { userId: (await findUser(db, address)).id };
  return va === undefined ? null : { vaId: (await findVa(db, va)).id };
};

const byId = { id: integer('Id of the profile (fleet list).') };

const recommended =
  (isRecommended: boolean) =>
  async ({ change }: Ops, { id }: { id: number }): Promise<Answer> => {
    await change(async (tx, trail) => {
      await trail.changing('fleet profile', id);
      if ((await fleetWrites(tx).recommend(id, isRecommended)) === 0)
        throw new OpsError('NOT_FOUND', `There is no fleet profile ${id}.`);
    });
    return { data: { id, recommended: isRecommended } };
  };

export const fleet: Noun = {
  name: 'fleet',
  summary: 'Fleet profiles of users and airlines.',
  verbs: {
    list: verb({
      summary: 'Lists the profiles of a user or an airline; without either the first 200 that are shared.',
      flags: {
        email: { ...email('Email address of the owner.'), schema: email().schema.optional() },
        va: maybeText('Name of the airline that owns them.'),
      },
      run: async (ops, values) => {
        const owner = await ownerOf(ops, values);
        const repo = fleetRepo(ops.postgres.db);
        const found = owner ? (await repo.ofOwner(owner)).profiles : await repo.community(shownCommunity);
        const table = found.map((profile) => ({
          id: profile.id,
          registration: profile.registration,
          basedOn: profile.basedOnProfile,
          owner: profile.vaName ?? `user ${profile.userId}`,
          file: fileOf(profile),
          shared: profile.isShared,
          recommended: profile.isRecommended,
        }));
        return { data: { profiles: table }, table };
      },
    }),
    recommend: verb({
      summary: 'Marks a profile as recommended: the first ones in the community fleet.',
      flags: byId,
      run: recommended(true),
    }),
    'recommend off': verb({
      summary: 'Removes that mark.',
      flags: byId,
      run: recommended(false),
    }),
  },
};
