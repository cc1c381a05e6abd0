/** Inheritance between the profiles of one fleet. */
import type { FleetProfile } from './types.ts';

/** Maximum links from a profile to its standard aircraft (M-2.4.f11). */
export const maxLinks = 5;

export type Link = Pick<FleetProfile, 'id' | 'registration' | 'baseId' | 'standardId'>;

export type Base<P extends Link> =
  | { readonly kind: 'profile'; readonly profile: P }
  | { readonly kind: 'standard'; readonly id: string };

/** The profile and its ancestors, nearest first; stops at a cycle. */
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

/** All direct and indirect heirs of the profile, parents before children. */
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

/** Links from the profile to its most distant heir. */
const generationsBelow = (fleet: readonly Link[], { id }: Pick<Link, 'id'>): number => {
  const distances = heirsOf(fleet, id).map((heir) =>
    chainOf(fleet, heir).findIndex((each) => each.id === id),
  );
  return Math.max(0, ...distances);
};

type ChainProblem = 'circle' | 'depth';

/**
 * Why `profile` (null: a new one) cannot inherit from `base`: a cycle, or more than `maxLinks` links from it or an heir
 * to the standard aircraft. Null if it can.
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
