-- Checklists and their ratings. Built-in ones are files of the service.

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

-- Checklists of users and virtual airlines.
CREATE TABLE checklist (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  va_id integer REFERENCES virtual_airline (id) ON DELETE CASCADE,
  name text NOT NULL,
  version text NOT NULL,
  description text,
  based_on text,
  -- As text, so that it comes back exactly as it was saved.
  document json NOT NULL,
  share_community boolean NOT NULL,
  -- When it was last offered to the community; null while it is not.
  shared_at timestamptz,
  -- Kept by the triggers of checklist_rating.
  rating_sum integer NOT NULL DEFAULT 0,
  rating_count integer NOT NULL DEFAULT 0,
  rating_average numeric(3,2) NOT NULL GENERATED ALWAYS AS (
CASE
    WHEN (rating_count = 0) THEN (0)::numeric
    ELSE round(((rating_sum)::numeric / (rating_count)::numeric), 2)
END) STORED,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  stored_bytes integer GENERATED ALWAYS AS (GREATEST(1024, octet_length((document)::text))) STORED,
  revision bigint NOT NULL DEFAULT nextval('row_revision'),
  aircraft_types text[] COLLATE "C" NOT NULL DEFAULT '{}',
  origin_revision bigint,
  CONSTRAINT checklist_owner CHECK ((user_id IS NULL) <> (va_id IS NULL)),
  CONSTRAINT checklist_shared CHECK (share_community = (shared_at IS NOT NULL))
);
CREATE INDEX checklist_user ON checklist (user_id);
CREATE INDEX checklist_va ON checklist (va_id);
CREATE INDEX checklist_community ON checklist (rating_average DESC, rating_count DESC, id) WHERE share_community;
CREATE INDEX checklist_shared ON checklist (shared_at DESC) INCLUDE (user_id) WHERE share_community;
CREATE INDEX checklist_updated ON checklist (updated_at DESC, id);
CREATE INDEX checklist_search ON checklist USING gin (aircraft_types, checklist_words(name, description, aircraft_types)) WHERE share_community;

-- One rating per user and checklist; `built_in` is the file name of a built-in one.
CREATE TABLE checklist_rating (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  checklist_id uuid REFERENCES checklist (id) ON DELETE CASCADE,
  built_in text,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  rating integer NOT NULL CHECK ((rating >= 1) AND (rating <= 5)),
  rated_at timestamptz NOT NULL,
  CONSTRAINT checklist_rating_subject CHECK ((checklist_id IS NULL) <> (built_in IS NULL))
);
CREATE UNIQUE INDEX checklist_rating_stored ON checklist_rating (checklist_id, user_id) WHERE checklist_id IS NOT NULL;
CREATE UNIQUE INDEX checklist_rating_built_in ON checklist_rating (built_in, user_id) WHERE built_in IS NOT NULL;
CREATE INDEX checklist_rating_user ON checklist_rating (user_id);

CREATE TABLE built_in_checklist_score (
  file text PRIMARY KEY,
  rating_sum integer NOT NULL,
  rating_count integer NOT NULL
);

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
  CONSTRAINT checklist_report_closed_whole CHECK ((closed_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT checklist_report_open EXCLUDE USING btree (checklist_id WITH =, user_id WITH =) WHERE ((closed_at IS NULL))
);
CREATE INDEX checklist_report_checklist ON checklist_report (checklist_id);
CREATE INDEX checklist_report_user ON checklist_report (user_id);
CREATE INDEX checklist_report_closed ON checklist_report (closed_at) WHERE closed_at IS NOT NULL;

-- A trigger, because ratings are also deleted with the account that gave them.
CREATE FUNCTION score_checklist() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  points CONSTANT integer := CASE TG_OP WHEN 'DELETE' THEN 0 ELSE NEW.rating END
    - CASE TG_OP WHEN 'INSERT' THEN 0 ELSE OLD.rating END;
  ratings CONSTANT integer := CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'DELETE' THEN -1 ELSE 0 END;
  rated checklist_rating := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF rated.checklist_id IS NOT NULL THEN
    UPDATE checklist SET rating_sum = rating_sum + points, rating_count = rating_count + ratings
    WHERE id = rated.checklist_id;
  ELSE
    INSERT INTO built_in_checklist_score AS score VALUES (rated.built_in, points, ratings)
    ON CONFLICT (file) DO UPDATE SET rating_sum = score.rating_sum + points, rating_count = score.rating_count + ratings;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER score_checklist AFTER INSERT OR DELETE OR UPDATE OF rating ON checklist_rating
  FOR EACH ROW EXECUTE FUNCTION score_checklist();
CREATE TRIGGER part_client_id AFTER DELETE ON checklist REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('checklist', 'id');
