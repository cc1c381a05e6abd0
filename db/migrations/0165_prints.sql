-- Documents and pictures of a flight: what they show, and the files that a worker draws of it at their first request.
CREATE TABLE print (
  -- Random: it is what protects the files.
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  content jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX print_user ON print (user_id, created_at);
CREATE INDEX print_created ON print (created_at);
CREATE TABLE print_file (
  print_id uuid NOT NULL REFERENCES print (id) ON DELETE CASCADE,
  name text NOT NULL CHECK (name IN ('briefing.pdf', 'profile.png', 'profile-dark.png')),
  -- How often it was asked for; one job for each time.
  asks integer NOT NULL,
  asked_at timestamptz NOT NULL,
  path text,
  etag text,
  drawn_at timestamptz,
  PRIMARY KEY (print_id, name),
  CONSTRAINT print_file_drawn_whole CHECK (num_nulls(path, etag, drawn_at) IN (0, 3))
);
CREATE TRIGGER leave_file_to_sweep AFTER DELETE ON print_file
  FOR EACH ROW EXECUTE FUNCTION leave_file_to_sweep('path');
