-- JSON of the few members of `normalized` that a summary needs, which takes less time to read than the whole plan. Null for
-- plans that were imported before: those are read whole.
ALTER TABLE ofp_revision ADD COLUMN planned text;
