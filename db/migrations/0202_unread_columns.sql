-- After the upgrade: the previous version reads or writes these columns, which this one does not.
ALTER TABLE wind_cycle DROP COLUMN stored_at;
ALTER TABLE airport DROP COLUMN magnetic_at;
ALTER TABLE subscription DROP COLUMN reconciled_at;
ALTER TABLE feed_state DROP COLUMN last_duration_ms;
