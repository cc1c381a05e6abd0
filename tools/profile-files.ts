/** Fleet profiles from files, for `npm run calc`: merged and checked as by fleetSave. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { fleetAircraft } from '#domain/fleet/aircraft.ts';
import { maxLinks } from '#domain/fleet/chain.ts';
import type { JsonObject } from '#domain/fleet/merge.ts';
import { profileDataProblem } from '#domain/fleet/profile-data.ts';
import { checkFleetProfile } from '#perf/check/profile.ts';
import { isRecord } from '#domain/record.ts';

/** A file that cannot be used, with every reason. */
export class ProfileFileError extends Error {
  override name = 'ProfileFileError';
  constructor(file: string, problems: readonly string[]) {
    super(problems.map((problem) => `${file}: ${problem}`).join('\n'));
  }
}

/** Profiles read so far, by registration, with their chains. */
type KnownChains = ReadonlyMap<string, { standard: AircraftProfile; chain: readonly JsonObject[] }>;

export interface ReadProfile {
  registration: string;
  standard: AircraftProfile;
  chain: readonly JsonObject[];
  profile: AircraftProfile;
}

const textAt = (json: JsonObject, name: string): string | null => {
  const block = json['profile'];
  const value = isRecord(block) ? block[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
};

const jsonOf = async (file: string): Promise<JsonObject> => {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ProfileFileError(file, [error instanceof Error ? error.message : String(error)]);
  }
  const problem = profileDataProblem(json);
  if (problem !== null || !isRecord(json)) throw new ProfileFileError(file, [problem ?? 'is not an object']);
  return json;
};

/**
 * Reads `profileData` of fleetSave, or `overrides` of fleetGet. The parent is `profile.basedOnProfile`: a standard
 * aircraft or a file read before; the name is `profile.user_registration`, else that of the file. Throws
 * `ProfileFileError` with path and reason of everything that fleetSave would refuse.
 */
export const readProfileFile = async (
  file: string,
  standards: ReadonlyMap<string, AircraftProfile>,
  known: KnownChains,
): Promise<ReadProfile> => {
  const json = await jsonOf(file);
  const registration = (textAt(json, 'user_registration') ?? basename(file, '.json')).toUpperCase();
  const parentName = textAt(json, 'basedOnProfile');
  if (parentName === null)
    throw new ProfileFileError(file, ['profile.basedOnProfile: must name the parent, for example A320-214']);
  const parent = known.get(parentName.toUpperCase());
  const standard = parent?.standard ?? standards.get(parentName.replaceAll('/', '-'));
  if (!standard)
    throw new ProfileFileError(file, [
      `profile.basedOnProfile: ${parentName} is neither a file before this one nor one of ${[...standards.keys()].join(', ')}`,
    ]);
  const chain = [json, ...(parent?.chain ?? [])];
  if (chain.length > maxLinks)
    throw new ProfileFileError(file, [
      `profile.basedOnProfile: more than ${maxLinks} links to ${standard.id}`,
    ]);
  const made = fleetAircraft(standard, chain, { registration, vaName: null }, checkFleetProfile);
  if ('problems' in made) throw new ProfileFileError(file, made.problems);
  return { registration, standard, chain, profile: made.profile };
};
