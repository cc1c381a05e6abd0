-- What airportStatus shows besides airports, runways and NOTAM, whose changes the caches hear of already.
SELECT watch_for_caches('obstacle', 'airport_status', '''*''', 'id');
SELECT watch_for_caches('airport_change', 'airport_status', '''*''', 'id');
SELECT watch_for_caches('map_file', 'airport_status', '''*''', 'id, name');
SELECT watch_for_caches('feed_state', 'feed_state', 'feed', 'feed, last_success_at, seed_date');
