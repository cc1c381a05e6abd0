-- Accounts, developer keys, virtual airlines, password resets.
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
  revoked_at timestamptz
);

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
  api_key text NOT NULL UNIQUE,
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
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX app_user_email ON app_user (lower(email));

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
  va_id integer REFERENCES virtual_airline (id) ON DELETE CASCADE,
  is_active boolean NOT NULL DEFAULT true
);

-- Only the hash of a reset token is stored; it is used once.
CREATE TABLE password_reset (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  return_url text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX password_reset_user ON password_reset (user_id, created_at);
