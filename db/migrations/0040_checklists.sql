-- Checklists of users and virtual airlines, and the ratings of all checklists. Built-in ones are files of the service.
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
  rating_average numeric(3, 2) NOT NULL GENERATED ALWAYS AS (
    CASE WHEN rating_count = 0 THEN 0 ELSE round(rating_sum::numeric / rating_count, 2) END) STORED,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT checklist_owner CHECK ((user_id IS NULL) <> (va_id IS NULL)),
  CONSTRAINT checklist_shared CHECK (share_community = (shared_at IS NOT NULL))
);
CREATE INDEX checklist_user ON checklist (user_id);
CREATE INDEX checklist_va ON checklist (va_id);
CREATE INDEX checklist_community ON checklist (rating_average DESC, rating_count DESC, id) WHERE share_community;

-- One rating per user and checklist; `built_in` is the file name of a built-in one.
CREATE TABLE checklist_rating (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  checklist_id uuid REFERENCES checklist (id) ON DELETE CASCADE,
  built_in text,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  rating integer NOT NULL CHECK (rating BETWEEN 1 AND 5),
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

-- What the community was offered and when, for the statistics since the last login.
SELECT watch_for_caches('checklist', 'community', '''*''', 'user_id, shared_at');
