-- Accounts, applications, virtual airlines, sign-ins, announcements and the audit.

CREATE SEQUENCE row_revision AS bigint START 2;

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Applications and their keys; those that developers made themselves have an owner.
CREATE TABLE developer_key (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  key_hint text NOT NULL,
  user_info text CHECK (user_info IN ('SIMPLE', 'MEDIUM', 'FULL')),
  weather boolean NOT NULL DEFAULT false,
  efb boolean NOT NULL DEFAULT false,
  library boolean NOT NULL DEFAULT false,
  subscription text CHECK (subscription IN ('READ', 'FULL')),
  return_url_hosts text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  -- The scheme of links into the app of this key, in place of app: null is app.
  app_scheme text CHECK (app_scheme ~ '^[a-z][a-z0-9+.-]{1,40}$'),
  owner_id integer,
  requested_permissions jsonb,
  requested_at timestamptz,
  request_reason text,
  previous_key_hash bytea,
  previous_until timestamptz
);
CREATE INDEX developer_key_owner ON developer_key (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX developer_key_previous ON developer_key (previous_key_hash) WHERE previous_key_hash IS NOT NULL;

CREATE TABLE virtual_airline (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  website text,
  contact_email text,
  logo text,
  logo_dark text,
  logo_white text,
  is_partner boolean NOT NULL DEFAULT false,
  legacy_name text,
  library_quota_mb integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX virtual_airline_name ON virtual_airline (lower(name));

CREATE TABLE app_user (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL,
  password_hash text NOT NULL,
  firstname text NOT NULL,
  lastname text NOT NULL,
  crewcode text NOT NULL,
  rank text NOT NULL DEFAULT 'CAPT' CHECK (rank IN ('LTC', 'CAPT', 'FO', 'JFO')),
  pin text,
  chat_id text,
  streaming_active boolean NOT NULL DEFAULT false,
  streaming_alias text,
  api_key text UNIQUE,
  developer_key_id integer REFERENCES developer_key (id),
  active_va_id integer REFERENCES virtual_airline (id) ON DELETE SET NULL,
  preferences jsonb NOT NULL DEFAULT '{}',
  settings_locked boolean NOT NULL DEFAULT false,
  profile_picture text,
  alias_picture text,
  token_generation integer NOT NULL DEFAULT 1,
  disabled_at timestamptz,
  previous_login_at timestamptz,
  last_login_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Links purchases in the app store with the account.
  store_account_token uuid NOT NULL DEFAULT gen_random_uuid(),
  -- When a link that was mailed to the address of the account was opened; null: the address is not proved.
  email_verified_at timestamptz,
  -- Signatures and confirmations made before this moment are refused: it moves with the password. They carry their own time in whole
  -- seconds, so nothing about them is stored, and this is a whole second, too.
  credentials_from timestamptz NOT NULL DEFAULT '1970-01-01 00:00:00+00',
  api_key_hash bytea UNIQUE,
  api_key_sealed bytea,
  pin_sealed bytea,
  -- An account has two: of its profile, and of its preferences.
  revision bigint NOT NULL DEFAULT nextval('row_revision'),
  preferences_revision bigint NOT NULL DEFAULT nextval('row_revision')
);
CREATE UNIQUE INDEX app_user_email ON app_user (lower(email));
CREATE UNIQUE INDEX app_user_store_account_token ON app_user (store_account_token);
CREATE INDEX app_user_active_va ON app_user (active_va_id) WHERE active_va_id IS NOT NULL;
CREATE INDEX app_user_disabled ON app_user (id) WHERE disabled_at IS NOT NULL;
CREATE INDEX app_user_search ON app_user USING gin (lower(((((email || ' ') || firstname) || ' ') || lastname)) gin_trgm_ops);

CREATE TABLE va_member (
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  va_id integer NOT NULL REFERENCES virtual_airline (id) ON DELETE CASCADE,
  joined_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, va_id)
);
CREATE INDEX va_member_va ON va_member (va_id);

CREATE TABLE va_admin (
  user_id integer PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  scope text NOT NULL CHECK (scope IN ('VA_ONLY', 'FULL')),
  va_id integer REFERENCES virtual_airline (id) ON DELETE SET NULL,
  is_active boolean NOT NULL DEFAULT true
);
CREATE INDEX va_admin_va ON va_admin (va_id);

-- Logos that the operator gives as files; `logo`, `logo_dark` and `logo_white` of the airline are URLs, or `logos/{id}`.
CREATE TABLE va_logo (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  va_id integer NOT NULL REFERENCES virtual_airline (id) ON DELETE CASCADE,
  media_type text NOT NULL,
  content bytea NOT NULL
);
CREATE INDEX va_logo_va ON va_logo (va_id);

-- Only the hash of a reset token is stored; it is used once.
CREATE TABLE password_reset (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  return_url text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  application text
);
CREATE INDEX password_reset_user ON password_reset (user_id, created_at);
CREATE INDEX password_reset_expires ON password_reset (expires_at);

-- A request waits here for its job, whether or not there is such an account: the API does the same work for both. The job deletes the row
-- in the transaction that answers it.
CREATE TABLE password_reset_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL,
  return_url text,
  requested_at timestamptz NOT NULL,
  -- The name of the self-made application that asked for a reset: its return address is linked by name, not redirected to.
  application text
);
CREATE INDEX password_reset_request_at ON password_reset_request (requested_at);

-- A deletion that waits for its confirmation; only the hash of the token is stored.
CREATE TABLE account_deletion (
  user_id integer PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Received pictures until a worker has resized them; the request waits for the state.
CREATE TABLE picture_upload (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  slot text NOT NULL CHECK (slot IN ('profile', 'alias')),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'stored', 'refused')),
  -- At most 5 MiB; empty as soon as the state is final.
  content bytea,
  created_at timestamptz NOT NULL
);
CREATE INDEX picture_upload_user ON picture_upload (user_id);
CREATE INDEX picture_upload_created ON picture_upload (created_at);

-- Where a user is signed in. A token names its session and ends with it; the token itself is not stored.
CREATE TABLE user_session (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  developer_key_id integer REFERENCES developer_key (id),
  created_at timestamptz NOT NULL,
  -- End of the last token that was issued for it.
  expires_at timestamptz NOT NULL
);
CREATE INDEX user_session_user ON user_session (user_id);
CREATE INDEX user_session_expires ON user_session (expires_at);

-- Links that are mailed to prove an address: that of the account, or both of a change.
CREATE TABLE email_proof (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  -- Receives the link.
  address text NOT NULL,
  -- Address after the change; null: the link verifies the address of the account.
  new_address text,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX email_proof_user ON email_proof (user_id);
CREATE INDEX email_proof_expires ON email_proof (expires_at);

-- Logins of devices without a keyboard, from the first request until their tokens are fetched.
CREATE TABLE device_login (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_code_hash bytea NOT NULL,
  user_code_hash bytea NOT NULL,
  developer_key_id integer NOT NULL REFERENCES developer_key (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Between two questions of the device; it rises each time that the device asks too soon.
  interval_seconds integer NOT NULL,
  asked_at timestamptz,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'refused')),
  -- Who has approved it, with the generation of tokens at that time.
  user_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  token_generation integer
);
CREATE INDEX device_login_device ON device_login (device_code_hash);
CREATE INDEX device_login_code ON device_login (user_code_hash);
CREATE INDEX device_login_user ON device_login (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX device_login_expires ON device_login (expires_at);

CREATE TABLE developer_session (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  secret_hash bytea NOT NULL,
  -- Of the user's tokens: what ends these ends the session.
  token_generation integer NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX developer_session_secret ON developer_session (secret_hash);
CREATE INDEX developer_session_user ON developer_session (user_id);
CREATE INDEX developer_session_expires ON developer_session (expires_at);

-- Tokens of the console: each signs in once and its session ends with it. Only hashes are stored.
CREATE TABLE console_token (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  session_hash bytea UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX console_token_expires ON console_token (expires_at);

-- Which keys of ENCRYPTION_KEYS have sealed something: a start compares their ids, and reads every account only where one is missing. An
-- empty id: something was sealed by a version that did not note its key.
CREATE TABLE sealing_key (
  id text PRIMARY KEY
);

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
CREATE INDEX announcement_expired ON announcement (expires_at);

-- The most recent announcement that a user has acknowledged; everything before it counts as seen.
CREATE TABLE announcement_ack (
  user_id integer PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  announcement_id integer NOT NULL REFERENCES announcement (id),
  published_at timestamptz NOT NULL,
  acknowledged_at timestamptz NOT NULL
);
CREATE INDEX announcement_ack_announcement ON announcement_ack (announcement_id);

CREATE TABLE problem_report (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  log_id bigint NOT NULL,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  severity text NOT NULL CHECK (severity IN ('LOW', 'MEDIUM', 'HIGH')),
  description text NOT NULL,
  created_at timestamptz NOT NULL,
  closed_at timestamptz
);
CREATE INDEX problem_report_log ON problem_report (log_id);
CREATE INDEX problem_report_user ON problem_report (user_id);
CREATE INDEX problem_report_closed ON problem_report (closed_at) WHERE closed_at IS NOT NULL;

-- Confirmation tokens that were accepted, until they would have expired anyway.
CREATE TABLE used_confirmation (
  token_hash bytea PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_confirmation_expires ON used_confirmation (expires_at);
CREATE INDEX used_confirmation_user ON used_confirmation (user_id);

-- What operators changed, through the command line or the console. It names no user but by id, so it outlives accounts.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  -- `cli:<user of the operating system>` or `console:<name of the token>`.
  who text NOT NULL,
  -- `user disable`: what the command line calls it.
  action text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  -- The state without secrets and without personal data; null for what did not exist.
  before jsonb,
  after jsonb,
  request_id text
);
CREATE INDEX audit_subject ON audit (kind, subject, id);
CREATE INDEX audit_at ON audit (at);

ALTER TABLE developer_key ADD FOREIGN KEY (owner_id) REFERENCES app_user(id) ON DELETE SET NULL;
