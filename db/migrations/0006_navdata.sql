-- Navigation points of all sources. Cycles stand side by side: the next one is loaded early and takes over by time.
CREATE TABLE navdata_point (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL,
  -- Byte order, so that a prefix is a range of the index.
  ident text COLLATE "C" NOT NULL,
  name text NOT NULL,
  band text NOT NULL,
  frequency_mhz double precision,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  region text,
  airway text,
  cycle text,
  valid_from timestamptz NOT NULL,
  valid_to timestamptz NOT NULL DEFAULT 'infinity',
  -- A better source has the same point.
  is_shadowed boolean NOT NULL DEFAULT false
);
CREATE INDEX navdata_point_search ON navdata_point (ident, latitude, longitude) WHERE NOT is_shadowed;
CREATE UNIQUE INDEX navdata_point_place
  ON navdata_point (source, coalesce(cycle, ''), ident, latitude, longitude);

CREATE TABLE navdata_airway (
  family text NOT NULL,
  cycle text,
  airway text NOT NULL,
  ident text COLLATE "C" NOT NULL,
  region text,
  latitude double precision,
  longitude double precision
);
CREATE INDEX navdata_airway_ident ON navdata_airway (family, ident);
