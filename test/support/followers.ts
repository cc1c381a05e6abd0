import { changeKinds } from '#data/postgres/changes.ts';
import type { ChangeKind, Follower, Followers } from '#data/postgres/changes.ts';

/** Followers of these kinds only; `everything` when anything of any kind changes. */
export const followersFor = (
  followers: Partial<Record<ChangeKind, Follower>>,
  everything?: () => void,
): Followers =>
  Object.fromEntries(
    changeKinds.map((kind) => {
      const any = { drop: () => everything?.(), clear: () => everything?.() };
      return [kind, [followers[kind] ?? any]];
    }),
  ) as unknown as Followers;
