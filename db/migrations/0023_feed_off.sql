-- A feed that has no source in this configuration: nothing runs, nothing is wrong.
ALTER TABLE feed ADD COLUMN is_off boolean NOT NULL DEFAULT false;
