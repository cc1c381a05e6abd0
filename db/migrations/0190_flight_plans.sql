-- Flight plans, what clients keep per plan, shares, crews and prints.

-- Flight plans that pilots have imported.
CREATE TABLE ofp (
  id text PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  name text NOT NULL,
  source text NOT NULL CHECK (source IN ('planner', 'json', 'xml')),
  -- The planner's names of the plan; never used as ours.
  planner_request_id text,
  planner_sequence_id text,
  planner_static_id text,
  -- SHA-256 of the document without what changes with every fetch.
  content_hash text NOT NULL,
  generated_at timestamptz,
  -- The stored part of the summary.
  facts jsonb NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  imported_at timestamptz NOT NULL,
  -- Deleted after this time unless it is shared.
  expires_at timestamptz NOT NULL,
  -- The aircraft profile that the owner of a plan had when it was imported, with its weights; null for plans imported before.
  owner_profile jsonb
);
CREATE INDEX ofp_user ON ofp (user_id, imported_at DESC, id DESC);
CREATE INDEX ofp_request ON ofp (user_id, planner_request_id);
CREATE INDEX ofp_static ON ofp (user_id, planner_static_id);
CREATE INDEX ofp_content ON ofp (user_id, content_hash);
CREATE INDEX ofp_expires ON ofp (expires_at);

-- The documents: the present one and some that it has replaced.
CREATE TABLE ofp_revision (
  ofp_id text NOT NULL REFERENCES ofp (id) ON DELETE CASCADE,
  revision integer NOT NULL,
  generated_at timestamptz,
  imported_at timestamptz NOT NULL,
  -- JSON as text: Postgres refuses escapes in json that a document may contain.
  normalized text NOT NULL,
  original text NOT NULL,
  -- JSON of the few members of `normalized` that a summary needs, which takes less time to read than the whole plan. Null for plans that
  -- were imported before: those are read whole.
  planned text,
  PRIMARY KEY (ofp_id, revision)
);

-- When a user last fetched a plan from the planner, which must not be polled.
CREATE TABLE ofp_fetch (
  user_id integer PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  fetched_at timestamptz NOT NULL
);

-- Shares of plans. A row is kept after its revocation, and after the deletion of the plan.
CREATE TABLE ofp_share (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  ofp_id text NOT NULL,
  -- The account that has accepted it, or that has the invited address.
  recipient_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  email text,
  permission text NOT NULL CHECK (permission IN ('view', 'edit')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'revoked')),
  -- SHA-256 of the token, HMAC of the code, which is short; both in plain text only for their owner.
  token_hash bytea NOT NULL,
  code_hash bytea NOT NULL,
  sealed_before bytea,
  created_at timestamptz NOT NULL,
  accepted_at timestamptz,
  revoked_at timestamptz,
  expires_at timestamptz,
  sealed bytea,
  revision bigint NOT NULL DEFAULT nextval('row_revision'),
  CONSTRAINT ofp_share_check CHECK ((status <> 'accepted') OR (recipient_id IS NOT NULL)),
  CONSTRAINT ofp_share_check1 CHECK ((status = 'revoked') = (revoked_at IS NOT NULL))
);
CREATE UNIQUE INDEX ofp_share_token ON ofp_share (token_hash);
CREATE UNIQUE INDEX ofp_share_code ON ofp_share (code_hash);
CREATE INDEX ofp_share_owner ON ofp_share (owner_id, ofp_id);
CREATE INDEX ofp_share_recipient ON ofp_share (recipient_id, ofp_id);
CREATE INDEX ofp_share_email ON ofp_share (lower(email));
CREATE INDEX ofp_share_owner_listed ON ofp_share (owner_id, id);
CREATE INDEX ofp_share_lapsed ON ofp_share (expires_at) WHERE status = 'pending';
CREATE INDEX ofp_share_revoked ON ofp_share (revoked_at) WHERE status = 'revoked';

-- What clients keep per plan. A deleted row remains with its version, so that versions never go back (ADR).
CREATE TABLE flight_data (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  ofp_id text NOT NULL REFERENCES ofp (id) ON DELETE CASCADE,
  data_key text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  -- Version with which the row was created, the last time after a deletion.
  first_version integer NOT NULL DEFAULT 1,
  is_deleted boolean NOT NULL DEFAULT false,
  payload_bytes integer NOT NULL,
  created_at timestamptz NOT NULL,
  -- Whole seconds, as clients see it (A-01).
  updated_at timestamptz NOT NULL,
  -- Accounts that may have been deleted since.
  created_by integer REFERENCES app_user (id) ON DELETE SET NULL,
  updated_by integer REFERENCES app_user (id) ON DELETE SET NULL,
  -- Bytes of a section with its whole history; an entry counts at least 1 kB. Changed by the statements that change the history.
  stored_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT flight_data_key UNIQUE (owner_id, ofp_id, data_key)
);
CREATE INDEX flight_data_ofp ON flight_data (ofp_id);
CREATE INDEX flight_data_created_by ON flight_data (created_by);
CREATE INDEX flight_data_updated_by ON flight_data (updated_by);

-- Append-only; also holds the current payload, so that every payload is stored once.
CREATE TABLE flight_data_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  flight_data_id integer NOT NULL REFERENCES flight_data (id) ON DELETE CASCADE,
  version integer NOT NULL,
  change_type text NOT NULL CHECK (change_type IN ('insert', 'update', 'delete')),
  -- JSON as text: it is never read here. A deletion has none; that of its version is the last one.
  payload text,
  payload_bytes integer NOT NULL,
  changed_at timestamptz NOT NULL,
  changed_by integer REFERENCES app_user (id) ON DELETE SET NULL,
  -- The history keeps every change of seven days; of earlier days the last one remains. True: an earlier day that is done.
  is_thinned boolean NOT NULL DEFAULT false,
  -- A deletion raises the version, too. Of an entry of the history that is a deletion: the version that it deleted; null for deletions
  -- before, which have that version themselves.
  deleted_version integer,
  CONSTRAINT flight_data_change_check CHECK ((payload IS NULL) = (change_type = 'delete'))
);
CREATE UNIQUE INDEX flight_data_change_version ON flight_data_change (flight_data_id, version) WHERE change_type <> 'delete';
CREATE INDEX flight_data_change_latest ON flight_data_change (flight_data_id, id);
CREATE INDEX flight_data_change_changed_by ON flight_data_change (changed_by);
CREATE INDEX flight_data_change_unthinned ON flight_data_change (changed_at) WHERE NOT is_thinned;

-- The crew of a flight: who has its plan open now, and which items of its checklists are done.
CREATE TABLE crew_presence (
  ofp_id text NOT NULL REFERENCES ofp (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  -- As the client names it.
  role text,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (ofp_id, user_id)
);
CREATE INDEX crew_presence_user ON crew_presence (user_id);
CREATE INDEX crew_presence_seen ON crew_presence (seen_at);

CREATE TABLE checklist_progress (
  ofp_id text NOT NULL REFERENCES ofp (id) ON DELETE CASCADE,
  checklist_id text COLLATE "C" NOT NULL,
  -- By `page.item`: who has done it (`by`) and when (`at`).
  done jsonb NOT NULL,
  revision bigint NOT NULL DEFAULT nextval('row_revision'),
  updated_by integer,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (ofp_id, checklist_id)
);

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
  name text NOT NULL,
  -- How often it was asked for; one job for each time.
  asks integer NOT NULL,
  asked_at timestamptz NOT NULL,
  path text,
  etag text,
  drawn_at timestamptz,
  CONSTRAINT print_file_drawn_whole CHECK (num_nulls(path, etag, drawn_at) IN (0, 3)),
  PRIMARY KEY (print_id, name)
);

CREATE TRIGGER part_client_id AFTER DELETE ON ofp REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('ofp', 'id');
CREATE TRIGGER part_client_id AFTER DELETE ON ofp_share REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('ofpShare', 'id');
CREATE TRIGGER leave_file_to_sweep AFTER DELETE ON print_file FOR EACH ROW EXECUTE FUNCTION leave_file_to_sweep('path');
