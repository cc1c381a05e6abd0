-- Announcements of the operator, and how far each user has acknowledged them.
CREATE TABLE announcement (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  summary text,
  -- Sanitised for its format before it is stored.
  body text NOT NULL,
  body_format text NOT NULL CHECK (body_format IN ('markdown', 'html', 'plain')),
  content_label text,
  content_url text,
  cover_image_url text,
  gallery_images jsonb NOT NULL DEFAULT '[]',
  action_links jsonb NOT NULL DEFAULT '[]',
  is_active boolean NOT NULL DEFAULT true,
  -- Never changed: announcements are ordered, and acknowledged, by this and then by id.
  published_at timestamptz NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX announcement_published ON announcement (published_at, id);

-- The most recent announcement that a user has acknowledged; everything before it counts as seen.
CREATE TABLE announcement_ack (
  user_id integer PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  announcement_id integer NOT NULL REFERENCES announcement (id),
  published_at timestamptz NOT NULL,
  acknowledged_at timestamptz NOT NULL
);
