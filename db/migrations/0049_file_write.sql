-- Keys of stored files that are being written and that no row refers to yet. The transaction that refers to a file
-- removes its key; what remains is left over from a failure, and the sweep deletes the file.
CREATE TABLE file_write (
  key text PRIMARY KEY,
  started_at timestamptz NOT NULL
);
CREATE INDEX file_write_started_at ON file_write (started_at);
