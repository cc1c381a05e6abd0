import { catalogueEntrySchema } from '#domain/aircraft/catalogue.ts';
import type { CatalogueEntry } from '#domain/aircraft/catalogue.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { catalogueEntry } from '#perf/wire/aircraft.ts';
import { checkProfile } from '#perf/landing/check.ts';

export interface AircraftKey {
  file: string;
  userRegistration: string | null;
  virtualAirline: string | null;
}

export interface AircraftLibrary {
  /** Every standard aircraft, ordered by id. */
  readonly standard: readonly AircraftProfile[];
  /** Their catalogue entries, in the same order. */
  readonly catalogue: readonly CatalogueEntry[];
  /** The profile of the three keys, or null. */
  find: (key: AircraftKey) => AircraftProfile | null;
}

/** Reads and checks the standard aircraft once; an invalid file prevents startup, with its name and reasons. */
export const loadAircraftLibrary = async (): Promise<AircraftLibrary> => {
  const profiles = await loadProfiles(checkProfile);
  return {
    standard: [...profiles.values()],
    catalogue: [...profiles.values()].map((profile) => catalogueEntrySchema.parse(catalogueEntry(profile))),
    find: ({ file, userRegistration, virtualAirline }) =>
      userRegistration === null && virtualAirline === null ? (profiles.get(file) ?? null) : null,
  };
};
