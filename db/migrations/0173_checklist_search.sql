-- Checklists are found by the types that they are for and by words, a copy knows whether its original has changed since, and what does
-- not belong in the community is reported.
ALTER TABLE checklist
  -- ICAO designators in upper case.
  ADD COLUMN aircraft_types text[] COLLATE "C" NOT NULL DEFAULT '{}',
  -- Of what based_on names: the revision that was copied, or last compared with. Null: not known.
  ADD COLUMN origin_revision bigint;

-- What people see as words: without case and accents, parted by everything else.
CREATE FUNCTION search_words(given text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_remove(regexp_split_to_array(
    lower(regexp_replace(normalize(given, NFD), '[\u0300-\u036f]', '', 'g')), '[^a-z0-9\u0080-\uffff]+'), '');

-- All words of a search, each of which may be the beginning of a longer one. Null without words.
CREATE FUNCTION search_query(given text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT string_agg('''' || word || ''':*', ' & ')::tsquery FROM unnest(search_words(given)) word);

CREATE FUNCTION checklist_words(name text, description text, aircraft_types text[]) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_to_tsvector(search_words(concat_ws(' ', name, description, array_to_string(aircraft_types, ' '))));

-- At most one open report of a user on a checklist.
CREATE TABLE checklist_report (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  checklist_id uuid NOT NULL REFERENCES checklist (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  reason text NOT NULL,
  description text,
  -- What was reported; the checklist may have changed since.
  revision bigint NOT NULL,
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  outcome text CHECK (outcome IN ('dismissed', 'unshared')),
  CONSTRAINT checklist_report_open EXCLUDE (checklist_id WITH =, user_id WITH =) WHERE (closed_at IS NULL),
  CONSTRAINT checklist_report_closed_whole CHECK ((closed_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX checklist_report_checklist ON checklist_report (checklist_id);
CREATE INDEX checklist_report_user ON checklist_report (user_id);
CREATE INDEX checklist_report_closed ON checklist_report (closed_at) WHERE closed_at IS NOT NULL;
