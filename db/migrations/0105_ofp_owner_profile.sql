-- The aircraft profile that the owner of a plan had when it was imported, with its weights; null for plans imported before.
ALTER TABLE ofp ADD COLUMN owner_profile jsonb;
