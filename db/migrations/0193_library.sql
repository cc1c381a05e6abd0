-- The document library, and uploads in pieces.

-- The document library: spaces of users, airlines and the system, with folders and files. Stamps of changes rise in the order of commits:
-- a change updates this row last and locks it until its commit. A reader that sees a stamp has seen every change up to it.
CREATE TABLE library_clock (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  changed_at timestamptz NOT NULL,
  -- Stamp of the last change of the library that a sync from before it can no longer learn of, because its entries are deleted.
  swept_to timestamptz NOT NULL DEFAULT '1970-01-01 00:00:00+00'
);

-- One per owner; its row is locked by every change of the owner's folders and files. Neither user nor airline: the system.
CREATE TABLE library_space (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer UNIQUE REFERENCES app_user (id) ON DELETE CASCADE,
  -- Without a foreign key: the tombstones of a deleted airline remain for its former members.
  va_id integer UNIQUE,
  used_bytes bigint NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
  CONSTRAINT library_space_check CHECK ((user_id IS NULL) OR (va_id IS NULL))
);
CREATE UNIQUE INDEX library_space_system ON library_space ((true)) WHERE (user_id IS NULL) AND (va_id IS NULL);

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
  changed_at timestamptz NOT NULL,
  revision bigint NOT NULL DEFAULT nextval('row_revision')
);
CREATE INDEX library_folder_present ON library_folder (space_id) WHERE deleted_at IS NULL;
CREATE INDEX library_folder_changed ON library_folder (space_id, changed_at);
CREATE INDEX library_folder_parent ON library_folder (parent_id);
CREATE INDEX library_folder_deleted ON library_folder (changed_at) WHERE deleted_at IS NOT NULL;

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
  revision bigint NOT NULL DEFAULT nextval('row_revision'),
  CONSTRAINT library_file_check CHECK ((type = 'video_url') = (url IS NOT NULL)),
  CONSTRAINT library_file_check1 CHECK ((url IS NOT NULL) OR ((storage_key IS NOT NULL) AND (mime_type IS NOT NULL) AND (file_hash IS NOT NULL)))
);
CREATE INDEX library_file_present ON library_file (space_id) WHERE deleted_at IS NULL;
CREATE INDEX library_file_changed ON library_file (space_id, changed_at);
CREATE INDEX library_file_folder ON library_file (folder_id);
CREATE INDEX library_file_deleted ON library_file (changed_at) WHERE deleted_at IS NOT NULL;

-- What a user could see of others since this stamp, so that a sync also reports what a membership or a product changed.
CREATE TABLE library_view (
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  seen_from timestamptz NOT NULL,
  level integer NOT NULL,
  va_ids integer[] NOT NULL,
  PRIMARY KEY (user_id, seen_from)
);

-- Documents that are uploaded in pieces, until they are in the library or swept.
CREATE TABLE resumable_upload (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  -- File name given by the client.
  name text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes > 0),
  -- SHA-256 of the whole file in hex, as the client has announced it.
  sha256 text NOT NULL,
  -- Storage keys and sizes of the pieces that have arrived, in their order.
  piece_keys text[] NOT NULL DEFAULT '{}',
  piece_bytes integer[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  -- When it became a document; for a while a repeat still finds it.
  finished_at timestamptz
);
CREATE INDEX resumable_upload_user ON resumable_upload (user_id);
CREATE INDEX resumable_upload_created ON resumable_upload (created_at);

CREATE TRIGGER leave_file_to_sweep AFTER DELETE ON library_file FOR EACH ROW EXECUTE FUNCTION leave_file_to_sweep('storage_key');
CREATE TRIGGER part_client_id AFTER DELETE ON library_folder REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('libraryFolder', 'id');
CREATE TRIGGER part_client_id AFTER DELETE ON library_file REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('libraryFile', 'id');

INSERT INTO library_clock (id, changed_at, swept_to) VALUES
  (true, '2000-01-01 00:00:01+00', '1970-01-01 00:00:00+00');

INSERT INTO library_space (used_bytes) VALUES
  (0);
