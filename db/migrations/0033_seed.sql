-- The airports that come with the service are no success of the feed: the day of that copy, until a run of the feed
-- has succeeded.
ALTER TABLE feed_state ADD COLUMN seed_date date;
UPDATE feed_state SET last_success_at = NULL, last_change_at = NULL, last_count = NULL, last_source = NULL
WHERE feed = 'airports' AND last_source = 'seed';

-- Fictional partners are no production data (SEED_DEMO=1 adds them). A database in use keeps what it has.
DELETE FROM virtual_airline v
WHERE contact_email IN ('crew@northernlights.example', 'ops@meridian.example', 'hello@harbourisland.example')
  AND NOT EXISTS (SELECT 1 FROM app_user);
