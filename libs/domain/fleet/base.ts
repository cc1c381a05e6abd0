import { DomainError } from '../errors.ts';
import { chainOf, chainProblem, heirsOf, maxLinks } from './chain.ts';
import type { Base } from './chain.ts';
import type { Fleet, FleetProfile } from './types.ts';

/** Generous, but limits the work of a save. */
const maxProfiles = { user: 200, airline: 1_000 };

export interface SavePlan {
  /** The stored profile with this registration; null for a new one. */
  existing: FleetProfile | null;
  base: Base<FleetProfile>;
  /** Fleet profiles that the saved one inherits from, nearest first. */
  ancestors: readonly FleetProfile[];
  /** Profiles that inherit from it, parents before children. */
  heirs: readonly FleetProfile[];
  /** Changes with every input of this plan. */
  version: string;
}

/**
 * The parent with this name: a profile of the same fleet, else a standard aircraft. A profile is never its own parent,
 * so one named like a standard aircraft may inherit from it. `standardId` throws for an unknown name other than its own.
 */
const baseNamed = (
  profiles: Fleet,
  registration: string,
  text: string,
  standardId: (text: string) => string | null,
): Base<FleetProfile> => {
  const named = text.toUpperCase();
  const profile = named === registration ? undefined : profiles.find((each) => each.registration === named);
  if (profile) return { kind: 'profile', profile };
  const id = standardId(text);
  if (id !== null) return { kind: 'standard', id };
  throw new DomainError('INVALID_BASED_ON', {}, 'basedOnProfile: a profile cannot be based on itself.');
};

/**
 * Plans to save a registration with this parent. Throws INVALID_BASED_ON, INHERITANCE_TOO_DEEP and FLEET_FULL, and for
 * a rename NOT_FOUND and REGISTRATION_TAKEN.
 */
export const planSave = (
  profiles: Fleet,
  {
    registration,
    basedOnProfile,
    renameFrom = null,
  }: { registration: string; basedOnProfile: string; renameFrom?: string | null | undefined },
  standardId: (text: string) => string | null,
): SavePlan => {
  const named = (text: string) => profiles.find((each) => each.registration === text) ?? null;
  const existing = named(renameFrom ?? registration);
  if (renameFrom && !existing)
    throw new DomainError('NOT_FOUND', {}, `There is no profile ${renameFrom} in this fleet.`);
  if (existing && existing.registration !== registration && named(registration))
    throw new DomainError(
      'REGISTRATION_TAKEN',
      {},
      `There is already a profile ${registration} in this fleet.`,
    );
  const most = profiles[0]?.vaId ? maxProfiles.airline : maxProfiles.user;
  if (!existing && profiles.length >= most)
    throw new DomainError('FLEET_FULL', {}, `This fleet has at most ${most} profiles.`);
  const base = baseNamed(profiles, registration, basedOnProfile, standardId);
  const problem = chainProblem(profiles, existing, base);
  if (problem === 'circle')
    throw new DomainError(
      'INVALID_BASED_ON',
      {},
      `basedOnProfile: ${basedOnProfile} inherits from ${registration}.`,
    );
  if (problem === 'depth')
    throw new DomainError(
      'INHERITANCE_TOO_DEEP',
      {},
      `A profile, and each that inherits from it, may be at most ${maxLinks} links away from its standard aircraft.`,
    );
  const ancestors = base.kind === 'profile' ? chainOf(profiles, base.profile) : [];
  const heirs = existing ? heirsOf(profiles, existing.id) : [];
  const links = [...ancestors, ...heirs].map(({ id, key, baseId, standardId: to }) =>
    [id, key, baseId, to].join(),
  );
  return { existing, base, ancestors, heirs, version: [existing?.id ?? 'new', ...links].join(' ') };
};
