-- Stamp of the last change of the library that a sync from before it can no longer learn of, because its entries are deleted.
ALTER TABLE library_clock ADD COLUMN swept_to timestamptz NOT NULL DEFAULT '1970-01-01T00:00:00Z';
