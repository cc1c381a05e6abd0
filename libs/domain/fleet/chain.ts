/** Inheritance between the profiles of one fleet. */
import type { FleetProfile } from './types.ts';

/** Links from a profile down to its standard aircraft (M-2.4.f11). */
export const maxLinks = 5;

export type Link = Pick<FleetProfile, 'id' | 'registration' | 'baseId' | 'standardId'>;

export type Base<P extends Link> =
  | { readonly kind: 'profile'; readonly profile: P }
  | { readonly kind: 'standard'; readonly id: string };

/** The profile and those that it inherits from, nearest first; ends at a circle. */
export const chainOf = <P extends Link>(fleet: readonly P[], profile: P): P[] => {
  const chain: P[] = [];
  let at: P | undefined = profile;
  while (at && !chain.includes(at)) {
    chain.push(at);
    const { baseId }: Link = at;
    at = baseId === null ? undefined : fleet.find(({ id }) => id === baseId);
  }
  return chain;
};

/** Everything that inherits from the profile, directly or not, parents before their children. */
export const heirsOf = <P extends Link>(fleet: readonly P[], id: number): P[] => {
  const heirs: P[] = [];
  let parents = new Set([id]);
  while (parents.size > 0) {
    const children = fleet.filter(({ baseId }) => baseId !== null && parents.has(baseId));
    const fresh = children.filter((child) => child.id !== id && !heirs.includes(child));
    heirs.push(...fresh);
    parents = new Set(fresh.map((child) => child.id));
  }
  return heirs;
};

/** Number of links below the profile to the heir that is furthest away. */
const generationsBelow = (fleet: readonly Link[], { id }: Pick<Link, 'id'>): number => {
  const distances = heirsOf(fleet, id).map((heir) =>
    chainOf(fleet, heir).findIndex((each) => each.id === id),
  );
  return Math.max(0, ...distances);
};

type ChainProblem = 'circle' | 'depth';

/**
 * What is wrong with letting `profile` (null: a new one) inherit from `base`: a circle, or more than `maxLinks` links
 * from the profile, or from one of its heirs, down to the standard aircraft. Null when nothing is.
 */
export const chainProblem = <P extends Link>(
  fleet: readonly P[],
  profile: P | null,
  base: Base<P>,
): ChainProblem | null => {
  const above = base.kind === 'profile' ? chainOf(fleet, base.profile) : [];
  if (profile && above.some(({ id }) => id === profile.id)) return 'circle';
  const below = profile ? generationsBelow(fleet, profile) : 0;
  return above.length + 1 + below > maxLinks ? 'depth' : null;
};
