import { setImmediate } from 'node:timers/promises';
import { aircraftProfileSchema } from '#domain/aircraft/profile.ts';
import { refusedLines, unknownKeys } from '#domain/fields/unknown-keys.ts';
import { fleetAircraft } from '#domain/fleet/aircraft.ts';
import type { SavePlan } from '#domain/fleet/base.ts';
import { chainOf } from '#domain/fleet/chain.ts';
import { mergeProfiles } from '#domain/fleet/merge.ts';
import type { JsonObject } from '#domain/fleet/merge.ts';
import type { FleetProfile } from '#domain/fleet/types.ts';
import { checkFleetProfile } from '#perf/check/profile.ts';
import { declaredError } from '../../../errors.ts';
import type { AircraftLibrary } from '../../../services/aircraft-library.ts';
import type { LoadedAircraft } from '../../../services/standard-aircraft.ts';
import { saveErrors } from './errors.ts';

/** What a profile has from its parent unless it is given (M-2.4.f6-f8). */
export type Inherited = Pick<FleetProfile, 'variant' | 'engines' | 'engineTimeLimitS'>;

const refused = (problems: readonly string[]): Error =>
  declaredError(saveErrors, 'INVALID_PROFILE_DATA', {
    message: `The engine cannot use this profile: ${problems.slice(0, 3).join('; ')}`,
    details: problems,
  });

const standardOf = ({ standard }: AircraftLibrary, { base, ancestors }: SavePlan): LoadedAircraft => {
  const id = base.kind === 'standard' ? base.id : ancestors.at(-1)?.standardId;
  const found = standard.named(id ?? '');
  if (found) return found;
  throw declaredError(saveErrors, 'INVALID_BASED_ON', {
    message: `basedOnProfile: the standard aircraft ${id ?? ''} no longer exists.`,
  });
};

/**
 * Merges a profile, and every profile that inherits from it, as calculations would after the save. Throws
 * INVALID_PROFILE_DATA with path and reason of everything that the engine would refuse or not read, and FILE_NOT_FOUND.
 */
export const checkSave = async (
  aircraft: AircraftLibrary,
  plan: SavePlan,
  { registration, json }: { registration: string; json: JsonObject },
): Promise<Inherited> => {
  const { base, ancestors, heirs, existing } = plan;
  const standard = standardOf(aircraft, plan);
  const above = await Promise.all(ancestors.map(aircraft.fleets.jsonOf));
  const check = (name: string, chain: readonly JsonObject[]): readonly string[] => {
    const made = fleetAircraft(
      standard.profile,
      chain,
      { registration: name, vaName: null },
      checkFleetProfile,
    );
    return 'problems' in made ? made.problems : [];
  };
  const unknown = unknownKeys(aircraftProfileSchema, mergeProfiles({ ...standard.profile }, json));
  const own = [...refusedLines(unknown), ...check(registration, [json, ...above])];
  if (own.length > 0) throw refused(own);
  const family = existing ? [existing, ...heirs] : [];
  for (const heir of heirs) {
    // Each takes milliseconds: other calls must not wait for all of them.
    await setImmediate();
    // Those between the heir and the saved profile.
    const between = chainOf(family, heir).filter(({ id }) => id !== existing?.id);
    const below = await Promise.all(between.map(aircraft.fleets.jsonOf));
    const problems = check(heir.registration, [...below, json, ...above]);
    if (problems.length > 0)
      throw refused(problems.map((problem) => `${heir.registration}, which inherits from it: ${problem}`));
  }
  if (base.kind === 'profile') return base.profile;
  const { variant, engines, enginesThrustLimitTime } = standard.profile.model;
  return { variant, engines, engineTimeLimitS: Math.round(enginesThrustLimitTime) };
};
