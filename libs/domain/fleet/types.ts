import type { Caller } from '../users/types.ts';

/** Whose fleet it is. */
export type FleetOwner = { readonly userId: number } | { readonly vaId: number };

/** A profile of a fleet, without its JSON. */
export interface FleetProfile {
  id: number;
  /** One of both is set: the owner. */
  userId: number | null;
  vaId: number | null;
  /** Name of the airline. */
  vaName: string | null;
  /** Upper-case. */
  registration: string;
  /** The parent: a profile of the same owner, or a standard aircraft; one of both is set. */
  baseId: number | null;
  standardId: string | null;
  /** Registration or id of the parent. */
  basedOnProfile: string;
  /** Storage key of the JSON; another one after every save. */
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
export interface Fleet {
  readonly profiles: readonly FleetProfile[];
}

/** An owner as one word, for caches and notifications: `u42`, `v7`. */
export const ownerKey = (owner: FleetOwner): string =>
  'userId' in owner ? `u${owner.userId}` : `v${owner.vaId}`;

export const ownerOf = ({ userId, vaId }: Pick<FleetProfile, 'userId' | 'vaId'>): FleetOwner =>
  userId === null ? { vaId: vaId ?? 0 } : { userId };

/** The airlines whose fleets a user sees: their memberships, and the one that they administer. */
export const airlinesOf = ({ vaIds, vaAdmin }: Pick<Caller, 'vaIds' | 'vaAdmin'>): number[] => {
  const administered = vaAdmin?.vaId ?? null;
  return administered === null ? [...vaIds] : [...new Set([...vaIds, administered])];
};
