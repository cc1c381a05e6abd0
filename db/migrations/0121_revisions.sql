-- Each change of a row that clients edit gets a number above all before it, of any row, so that none is used twice.
CREATE SEQUENCE row_revision AS bigint START 2;
ALTER TABLE checklist ADD COLUMN revision bigint NOT NULL DEFAULT 1;
ALTER TABLE checklist ALTER COLUMN revision SET DEFAULT nextval('row_revision');
ALTER TABLE fleet_profile ADD COLUMN revision bigint NOT NULL DEFAULT 1;
ALTER TABLE fleet_profile ALTER COLUMN revision SET DEFAULT nextval('row_revision');
