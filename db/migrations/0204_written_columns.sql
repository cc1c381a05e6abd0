-- After the upgrade: the previous version writes these columns, which no version reads.
ALTER TABLE obstacle DROP COLUMN lighting, DROP COLUMN is_verified, DROP COLUMN horizontal_accuracy, DROP COLUMN vertical_accuracy,
  DROP COLUMN action_date, DROP COLUMN source;
ALTER TABLE feed_watch DROP COLUMN down_since;
ALTER TABLE metar DROP COLUMN received_at;
ALTER TABLE taf DROP COLUMN received_at;
ALTER TABLE sigmet DROP COLUMN source, DROP COLUMN received_at;
ALTER TABLE pirep DROP COLUMN source, DROP COLUMN received_at;
ALTER TABLE airport DROP COLUMN osm_message;
ALTER TABLE request_log_body DROP COLUMN codec;
