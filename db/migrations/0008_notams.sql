-- NOTAM of every source, parsed. One row per issuer and number; the text stays beside what was read from it.
CREATE TABLE notam (
  -- Names the runway variant (07L.N<id>), so it never changes for one NOTAM.
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL UNIQUE,
  source text NOT NULL,
  number text NOT NULL,
  type text NOT NULL CHECK (type IN ('N', 'R', 'C')),
  replaces_key text,
  airports text[] NOT NULL,
  q_code text,
  from_at timestamptz NOT NULL,
  -- Null: permanent.
  to_at timestamptz,
  is_estimated boolean NOT NULL,
  raw text NOT NULL,
  -- Runway effects and what was not read with certainty.
  effects jsonb NOT NULL,
  flags text[] NOT NULL,
  -- The other items: office, FIR, locations, scope, position, schedule, text, limits.
  items jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  -- Soft: by a NOTAMC or NOTAMR (its key) or because a complete set no longer has it ('source').
  cancelled_at timestamptz,
  cancelled_by text
);
CREATE INDEX notam_airports ON notam USING gin (airports) WHERE cancelled_at IS NULL;
CREATE INDEX notam_replaces ON notam (replaces_key) WHERE replaces_key IS NOT NULL;
CREATE INDEX notam_effects ON notam (from_at) WHERE cancelled_at IS NULL AND effects <> '[]';
