-- ICAO codes that an airport had before, so that each of its codes finds it.
ALTER TABLE airport ADD COLUMN former_icaos text[] NOT NULL DEFAULT '{}';

DROP TRIGGER cache_airport_list_insert ON airport;
DROP TRIGGER cache_airport_list_update ON airport;
DROP TRIGGER cache_airport_list_delete ON airport;
DROP TRIGGER cache_airport_list_truncate ON airport;
SELECT watch_for_caches('airport', 'airport_list', '''*''', 'icao, iata, name, former_icaos, removed_at');
