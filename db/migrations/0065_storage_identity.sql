-- Which file storage belongs to this database: the same id lies there as `storage-id`.
CREATE TABLE storage_identity (
  id text NOT NULL,
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);
