/** Fleet profiles as aircraft: files are read and merged once per version. */
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { catalogueEntrySchema } from '#domain/aircraft/catalogue.ts';
import type { CatalogueEntry } from '#domain/aircraft/catalogue.ts';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import { fleetAircraft, fleetSections, mergedJson } from '#domain/fleet/aircraft.ts';
import type { FleetAircraft } from '#domain/fleet/aircraft.ts';
import { chainOf } from '#domain/fleet/chain.ts';
import type { JsonObject } from '#domain/fleet/merge.ts';
import { profileToStore } from '#domain/fleet/profile-data.ts';
import { fileOf } from '#domain/fleet/row.ts';
import type { Fleet, FleetProfile } from '#domain/fleet/types.ts';
import type { FileStorage } from '#domain/ports.ts';
import { checkFleetProfile } from '#perf/check/profile.ts';
import { catalogueEntry } from '#perf/wire/aircraft.ts';
import type { LoadedAircraft, StandardAircraft } from './standard-aircraft.ts';
import { isRecord } from '#domain/record.ts';

/** A profile's JSON as stored, and its size. */
interface StoredJson {
  json: JsonObject;
  bytes: number;
}

/** Cached file text; merged and parsed, it takes about five times as much. */
const maxBytes = 25_165_824;
/** A merged profile is at least as large as a standard one. */
const standardBytes = 40_000;

export const createFleets = (standard: StandardAircraft, storage: Pick<FileStorage, 'get'>, log: Logger) => {
  // Keys are never reused for other content, so entries need no invalidation.
  const files = new LRUCache<string, StoredJson>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const aircraft = new LRUCache<string, { made: FleetAircraft; bytes: number }>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });

  const read = async (profile: FleetProfile): Promise<StoredJson> => {
    const known = files.get(profile.key);
    if (known) return known;
    const bytes = await storage.get(profile.key);
    if (!bytes) {
      log.warn({ key: profile.key, profile: profile.id }, 'the file of a fleet profile is missing');
      throw new DomainError('FILE_NOT_FOUND', {}, `The file of ${profile.registration} is missing.`);
    }
    const json: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (!isRecord(json)) throw new Error(`${profile.key} is not the JSON of a profile`);
    const stored = { json, bytes: bytes.byteLength };
    files.set(profile.key, stored);
    return stored;
  };

  /** The standard aircraft at the end of a chain; null if this version of the service has none with that id. */
  const standardOf = (fleet: Fleet, profile: FleetProfile): LoadedAircraft | null => {
    const id = chainOf(fleet, profile).at(-1)?.standardId ?? null;
    return id === null ? null : standard.named(id);
  };

  /** Registration and parent come from the row: both may have changed since the file was written. */
  const readNamed = async (profile: FleetProfile): Promise<StoredJson> => {
    const { json, bytes } = await read(profile);
    return { json: profileToStore(json, profile.registration, profile.basedOnProfile), bytes };
  };

  const readChain = (fleet: Fleet, profile: FleetProfile): Promise<StoredJson[]> =>
    Promise.all(chainOf(fleet, profile).map(readNamed));

  /** A profile's aircraft, or why the engine refuses it. Throws FILE_NOT_FOUND. */
  const aircraftOf = async (fleet: Fleet, profile: FleetProfile): Promise<FleetAircraft> => {
    const base = standardOf(fleet, profile);
    if (!base)
      return { problems: [`basedOnProfile: there is no standard aircraft ${profile.basedOnProfile}`] };
    const { registration, vaName } = profile;
    const version = [base.file, ...chainOf(fleet, profile).map(({ key }) => key), vaName].join('|');
    const known = aircraft.get(version);
    if (known) return known.made;
    const chain = await readChain(fleet, profile);
    const made = fleetAircraft(
      base.profile,
      chain.map(({ json }) => json),
      { registration, vaName },
      checkFleetProfile,
    );
    aircraft.set(version, { made, bytes: chain.reduce((sum, { bytes }) => sum + bytes, standardBytes) });
    return made;
  };

  const entryOf = async (fleet: Fleet, profile: FleetProfile): Promise<CatalogueEntry[]> => {
    const base = standardOf(fleet, profile);
    try {
      const chain = await readChain(fleet, profile);
      if (!base) throw new DomainError('AIRCRAFT_NOT_FOUND', {}, `no standard aircraft for ${profile.key}`);
      const json = chain.map((each) => each.json);
      const sections = fleetSections(mergedJson(base.profile, json, profile));
      const entry = catalogueEntry({ ...base.profile, ...sections }, fileOf(profile));
      return [catalogueEntrySchema.parse(entry)];
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      log.warn({ err: error, profile: profile.id }, 'a fleet profile is left out of a list');
      return [];
    }
  };

  /** Catalogue entries of a fleet, without unreadable profiles. */
  const entriesOf = async (fleet: Fleet): Promise<readonly CatalogueEntry[]> => {
    const list: CatalogueEntry[] = [];
    // Sequentially, so that a large fleet does not open hundreds of files at once.
    for (const profile of fleet) list.push(...(await entryOf(fleet, profile)));
    return list;
  };
  return {
    /** The profile's own JSON. Throws FILE_NOT_FOUND. */
    jsonOf: async (profile: FleetProfile) => (await read(profile)).json,
    /** The JSON of the profile and its ancestors in the fleet, nearest first. Throws FILE_NOT_FOUND. */
    chainOf: async (fleet: Fleet, profile: FleetProfile) =>
      (await readChain(fleet, profile)).map(({ json }) => json),
    standardOf,
    aircraftOf,
    entriesOf,
  };
};

export type Fleets = ReturnType<typeof createFleets>;
