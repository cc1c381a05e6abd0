import type { Cache } from '#platform/cache.ts';
import type { WindStore } from '#data/feeds/winds/store.ts';
import type { Follower, Followers } from '#data/postgres/changes.ts';
import type { Caches } from './caches.ts';

/** The cache of each kind, and the winds. */
export const followersOf = (caches: Caches, winds: Pick<WindStore, 'refresh'>): Followers => {
  const numbered = (cache: Cache<number, unknown>): Follower => ({
    drop: (id) => cache.drop(Number(id)),
    clear: () => cache.clear(),
  });
  /** Any change may affect any entry. */
  const whole = (cache: Pick<Follower, 'clear'>): Follower => ({
    drop: () => cache.clear(),
    clear: () => cache.clear(),
  });
  return {
    user: [numbered(caches.users)],
    user_profile: [numbered(caches.profiles)],
    session: [numbered(caches.sessions)],
    // Every user has a product, at least the preview.
    product: [whole(caches.users)],
    developer_key: [numbered(caches.developerKeys)],
    developer_key_hash: [caches.developerKeysByHash],
    community: [whole(caches.offers), whole(caches.communityFleet)],
    // Profiles show the name of their airline.
    virtual_airline: [whole(caches.airlines), whole(caches.fleets), whole(caches.communityFleet)],
    airport: [
      caches.airports,
      whole(caches.airportDatabase),
      whole(caches.closedDirections),
      whole(caches.stations),
      whole(caches.reportingStations),
    ],
    airport_status: [whole(caches.airportDatabase)],
    feed_state: [whole(caches.feeds)],
    airport_list: [whole(caches.availableAirports), whole(caches.icaoGroups)],
    notam: [caches.notams, whole(caches.closedDirections)],
    metar: [caches.metars, whole(caches.reportingStations)],
    taf: [caches.tafs],
    datis: [caches.datis],
    pirep: [whole(caches.pireps)],
    sigmet: [whole(caches.sigmets)],
    fleet: [caches.fleets, whole(caches.communityFleet)],
    wind_cycle: [whole({ clear: () => void winds.refresh() })],
  };
};
