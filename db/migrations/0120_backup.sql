-- The last backup that was restored on trial and had every row.
CREATE TABLE backup (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  file text NOT NULL,
  taken_at timestamptz NOT NULL,
  bytes bigint NOT NULL
);
