-- Who changed what remains in other people's plans only as long as the account exists; null: an account that was deleted.
ALTER TABLE flight_data ALTER COLUMN created_by DROP NOT NULL, ALTER COLUMN updated_by DROP NOT NULL;
ALTER TABLE flight_data_change ALTER COLUMN changed_by DROP NOT NULL;

UPDATE flight_data f SET created_by = NULL WHERE NOT EXISTS (SELECT 1 FROM app_user u WHERE u.id = f.created_by);
UPDATE flight_data f SET updated_by = NULL WHERE NOT EXISTS (SELECT 1 FROM app_user u WHERE u.id = f.updated_by);
UPDATE flight_data_change c SET changed_by = NULL WHERE NOT EXISTS (SELECT 1 FROM app_user u WHERE u.id = c.changed_by);

ALTER TABLE flight_data
  ADD CONSTRAINT flight_data_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user (id) ON DELETE SET NULL,
  ADD CONSTRAINT flight_data_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES app_user (id) ON DELETE SET NULL;
ALTER TABLE flight_data_change
  ADD CONSTRAINT flight_data_change_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES app_user (id) ON DELETE SET NULL;
CREATE INDEX flight_data_created_by ON flight_data (created_by);
CREATE INDEX flight_data_updated_by ON flight_data (updated_by);
CREATE INDEX flight_data_change_changed_by ON flight_data_change (changed_by);
