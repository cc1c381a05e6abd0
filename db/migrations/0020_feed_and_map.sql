-- What each feed promises, written by the scheduler when it starts, for everybody who shows their state.
CREATE TABLE feed (
  name text PRIMARY KEY,
  schedule text NOT NULL,
  grace_minutes integer NOT NULL,
  stale_minutes integer NOT NULL
);

-- Files of the airport map: each has a name of its own, the newest row names the one that is served.
CREATE TABLE map_file (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  features integer NOT NULL,
  bytes bigint NOT NULL,
  created_at timestamptz NOT NULL
);
