-- What this version no longer writes.
ALTER TABLE airport ALTER COLUMN has_scheduled_service DROP NOT NULL;
ALTER TABLE runway_end ALTER COLUMN bearing_source DROP NOT NULL, ALTER COLUMN elevation_source DROP NOT NULL,
  ALTER COLUMN surface_text DROP NOT NULL;
