-- A deletion raises the version, too. Of an entry of the history that is a deletion: the version that it deleted; null for
-- deletions before, which have that version themselves.
ALTER TABLE flight_data_change ADD COLUMN deleted_version integer;
