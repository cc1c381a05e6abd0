import { catalogueEntrySchema } from '#domain/aircraft/catalogue.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { catalogueEntry } from '#perf/wire/aircraft.ts';
import { checkProfile } from '#perf/check/profile.ts';

/** An aircraft with the `file` that answers name. */
export interface LoadedAircraft {
  readonly profile: AircraftProfile;
  readonly file: string;
  /** For a fleet profile: the standard aircraft it is based on. */
  readonly standard?: AircraftProfile;
}

export const standardAircraftOf = (profiles: ReadonlyMap<string, AircraftProfile>) => {
  const loaded = new Map<string, LoadedAircraft>();
  for (const profile of profiles.values()) {
    for (const id of [profile.id, ...profile.formerIds]) {
      if (loaded.has(id)) throw new Error(`two standard aircraft have the id ${id}`);
      loaded.set(id, { profile, file: profile.id });
    }
  }
  const normalised = (text: string) => text.trim().toUpperCase().replaceAll('/', '-');
  const byName = new Map([...loaded].map(([id, aircraft]) => [normalised(id), aircraft]));
  return {
    /** Every standard aircraft, ordered by id. */
    profiles: [...profiles.values()],
    /** Their catalogue entries, in the same order. */
    catalogue: [...profiles.values()].map((profile) => catalogueEntrySchema.parse(catalogueEntry(profile))),
    /** By current or former id. */
    find: (id: string): LoadedAircraft | null => loaded.get(id) ?? null,
    /** By id in any letter case, also with a slash as in `737-800/7B26`. */
    named: (text: string): LoadedAircraft | null => byName.get(normalised(text)) ?? null,
  };
};

export type StandardAircraft = ReturnType<typeof standardAircraftOf>;

let loading: Promise<StandardAircraft> | undefined;

/**
 * Reads and checks the standard aircraft once per process; an invalid file fails startup with its name and the reasons.
 */
export const loadStandardAircraft = (): Promise<StandardAircraft> =>
  (loading ??= loadProfiles(checkProfile).then(standardAircraftOf));
