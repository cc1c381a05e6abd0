import type { Caller } from '../users/types.ts';

/** Owner of a fleet. */
export type FleetOwner = { readonly userId: number } | { readonly vaId: number };

/** A fleet profile without its JSON. */
export interface FleetProfile {
  id: number;
  /** The owner; exactly one of both is set. */
  userId: number | null;
  vaId: number | null;
  /** Name of the airline. */
  vaName: string | null;
  /** Upper-case. */
  registration: string;
  /** The parent: a profile of the same owner or a standard aircraft; exactly one is set. */
  baseId: number | null;
  standardId: string | null;
  /** Registration or id of the parent. */
  basedOnProfile: string;
  /** Storage key of the JSON, which changes with every save. */
  key: string;
  flightSim: string | null;
  addon: string | null;
  variant: string | null;
  engines: string | null;
  engineTimeLimitS: number | null;
  isShared: boolean;
  isRecommended: boolean;
  /** Rises with each save. */
  revision: number;
  updatedAt: Date;
}

/** One owner's profiles, by registration. */
export type Fleet = readonly FleetProfile[];

/** An owner in one word, for caches and notifications: `u42`, `v7`. */
export const ownerKey = (owner: FleetOwner): string =>
  'userId' in owner ? `u${owner.userId}` : `v${owner.vaId}`;

export const ownerOf = ({ userId, vaId }: Pick<FleetProfile, 'userId' | 'vaId'>): FleetOwner =>
  userId === null ? { vaId: vaId ?? 0 } : { userId };

/** Airlines whose fleets a user sees: memberships, and the one they administer. */
export const airlinesOf = ({ vaIds, vaAdmin }: Pick<Caller, 'vaIds' | 'vaAdmin'>): number[] => {
  const administered = vaAdmin?.vaId ?? null;
  return administered === null ? [...vaIds] : [...new Set([...vaIds, administered])];
};
