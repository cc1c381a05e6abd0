-- After the upgrade: the previous version writes this column, which no version reads.
ALTER TABLE gateway_event DROP COLUMN content_type;
