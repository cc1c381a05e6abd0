-- What an account may store besides its library: flight plans, flight data with their history, checklists, fleet profiles.
ALTER TABLE product ADD COLUMN storage_quota_mb integer NOT NULL DEFAULT 250 CHECK (storage_quota_mb >= 0);
UPDATE product SET storage_quota_mb = CASE WHEN is_commercial THEN 10000 WHEN level >= 3 THEN 2000
  WHEN level = 2 THEN 1000 WHEN level = 1 THEN 500 ELSE 250 END;

DROP TRIGGER cache_product_insert ON product;
DROP TRIGGER cache_product_update ON product;
DROP TRIGGER cache_product_delete ON product;
DROP TRIGGER cache_product_truncate ON product;
SELECT watch_for_caches('product', 'product', 'code',
  'code, title, level, max_calculation, library_quota_mb, storage_quota_mb, is_notam, is_nnc, is_mel, is_cdl, is_most_fav, '
  'is_balked_landing, is_all_intersections, is_commercial, is_fleet_database, allowed_airports');

-- Bytes of a section with its whole history; an entry counts at least 1 kB. Changed by the statements that change the history.
ALTER TABLE flight_data ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0;
UPDATE flight_data f SET stored_bytes = c.bytes FROM (
  SELECT flight_data_id, sum(CASE change_type WHEN 'delete' THEN 1024 ELSE greatest(1024, payload_bytes) END) AS bytes
  FROM flight_data_change GROUP BY flight_data_id) c
WHERE c.flight_data_id = f.id;

-- The history keeps every change of seven days; of earlier days the last one remains. True: an earlier day that is done.
ALTER TABLE flight_data_change ADD COLUMN is_thinned boolean NOT NULL DEFAULT false;
CREATE INDEX flight_data_change_unthinned ON flight_data_change (changed_at) WHERE NOT is_thinned;

ALTER TABLE checklist ADD COLUMN stored_bytes integer
  GENERATED ALWAYS AS (greatest(1024, octet_length(document::text))) STORED;
-- Of a profile that was saved before, its size is not known here.
ALTER TABLE fleet_profile ADD COLUMN stored_bytes integer NOT NULL DEFAULT 1024;
