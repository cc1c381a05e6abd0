import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aircraftProfileSchema } from '#domain/aircraft/profile.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';

/** Folder of the standard aircraft, inside the package. */
export const standardAircraft = fileURLToPath(new URL('../../perf/aircraft/', import.meta.url));

/** A profile that was refused, with every reason. */
export class AircraftProfileError extends Error {
  override name = 'AircraftProfileError';
  readonly file: string;
  readonly problems: readonly string[];
  constructor(file: string, problems: readonly string[]) {
    super(`Aircraft profile ${file} is refused:\n  ${problems.join('\n  ')}`);
    this.file = file;
    this.problems = problems;
  }
}

/** Checks by the engine (golden points, ordering); returns a profile's problems, none when valid. */
type ProfileCheck = (profile: AircraftProfile) => readonly string[];

/** Parses one profile; `name` is the file name without `.json`. Throws `AircraftProfileError`. */
const parseProfile = (name: string, json: unknown, check: ProfileCheck): AircraftProfile => {
  const parsed = aircraftProfileSchema.safeParse(json);
  if (!parsed.success) {
    throw new AircraftProfileError(
      name,
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    );
  }
  const profile = parsed.data;
  const problems = profile.id === name ? check(profile) : [`id "${profile.id}" differs from the file name`];
  if (problems.length > 0) throw new AircraftProfileError(name, problems);
  return profile;
};

/**
 * Reads each `*.json` in a folder and validates it against the schema and the engine's checks. An invalid file stops
 * loading with an error that names the file and the reasons. The result is keyed and sorted by profile id.
 */
export const loadProfiles = async (
  check: ProfileCheck,
  folder = standardAircraft,
): Promise<Map<string, AircraftProfile>> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted();
  const profiles = new Map<string, AircraftProfile>();
  for (const file of files) {
    const name = file.slice(0, -'.json'.length);
    let json: unknown;
    try {
      json = JSON.parse(await readFile(join(folder, file), 'utf8'));
    } catch (error) {
      throw new AircraftProfileError(name, [
        `not JSON: ${error instanceof Error ? error.message : String(error)}`,
      ]);
    }
    profiles.set(name, parseProfile(name, json, check));
  }
  return profiles;
};
