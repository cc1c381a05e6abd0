-- After the upgrade: the previous version writes these columns, and reads ARINC 424 files.
ALTER TABLE airport DROP COLUMN region, DROP COLUMN has_scheduled_service, DROP COLUMN osm_state, DROP COLUMN osm_at;
ALTER TABLE runway_end DROP COLUMN bearing_source, DROP COLUMN elevation_source, DROP COLUMN surface_text;
UPDATE navdata_point SET is_shadowed = false
  WHERE is_shadowed AND ident IN (SELECT ident FROM navdata_point WHERE source = 'arinc424');
DELETE FROM navdata_point WHERE source = 'arinc424';
DELETE FROM navdata_airway WHERE family = 'arinc424';
