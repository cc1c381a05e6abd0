-- The document library: spaces of users, airlines and the system, with folders and files.

-- Stamps of changes rise in the order of commits: a change updates this row last and locks it until its commit. A reader
-- that sees a stamp has seen every change up to it.
CREATE TABLE library_clock (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  changed_at timestamptz NOT NULL
);
INSERT INTO library_clock (changed_at) VALUES ('2000-01-01T00:00:00Z');

-- One per owner; its row is locked by every change of the owner's folders and files. Neither user nor airline: the system.
CREATE TABLE library_space (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer UNIQUE REFERENCES app_user (id) ON DELETE CASCADE,
  -- Without a foreign key: the tombstones of a deleted airline remain for its former members.
  va_id integer UNIQUE,
  used_bytes bigint NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
  CHECK (user_id IS NULL OR va_id IS NULL)
);
CREATE UNIQUE INDEX library_space_system ON library_space ((true)) WHERE user_id IS NULL AND va_id IS NULL;
INSERT INTO library_space DEFAULT VALUES;

-- Deleted rows remain as tombstones for incremental syncs.
CREATE TABLE library_folder (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  space_id bigint NOT NULL REFERENCES library_space (id) ON DELETE CASCADE,
  parent_id integer REFERENCES library_folder (id) ON DELETE CASCADE,
  name text NOT NULL,
  min_product_level integer NOT NULL DEFAULT 0 CHECK (min_product_level >= 0),
  -- The highest level of the folder and of those above it; 0 in the space of a user, who always sees it.
  needed_level integer NOT NULL DEFAULT 0,
  sort_order integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  changed_at timestamptz NOT NULL
);
CREATE INDEX library_folder_present ON library_folder (space_id) WHERE deleted_at IS NULL;
CREATE INDEX library_folder_changed ON library_folder (space_id, changed_at);
CREATE INDEX library_folder_parent ON library_folder (parent_id);

CREATE TABLE library_file (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  space_id bigint NOT NULL REFERENCES library_space (id) ON DELETE CASCADE,
  -- A user's file may be in a folder of the system.
  folder_id integer REFERENCES library_folder (id) ON DELETE SET NULL,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('file', 'image', 'video_url')),
  mime_type text,
  storage_key text UNIQUE,
  url text,
  file_size bigint NOT NULL DEFAULT 0,
  -- SHA-256 of the content in hex.
  file_hash text,
  version integer NOT NULL DEFAULT 1,
  min_product_level integer NOT NULL DEFAULT 0 CHECK (min_product_level >= 0),
  needed_level integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  changed_at timestamptz NOT NULL,
  CHECK ((type = 'video_url') = (url IS NOT NULL)),
  CHECK (url IS NOT NULL OR (storage_key IS NOT NULL AND mime_type IS NOT NULL AND file_hash IS NOT NULL))
);
CREATE INDEX library_file_present ON library_file (space_id) WHERE deleted_at IS NULL;
CREATE INDEX library_file_changed ON library_file (space_id, changed_at);
CREATE INDEX library_file_folder ON library_file (folder_id);

-- What a user could see of others since this stamp, so that a sync also reports what a membership or a product changed.
CREATE TABLE library_view (
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  seen_from timestamptz NOT NULL,
  level integer NOT NULL,
  va_ids integer[] NOT NULL,
  PRIMARY KEY (user_id, seen_from)
);
