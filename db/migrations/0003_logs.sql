-- Request log, calculations with their drawings, rate limits.
CREATE SEQUENCE request_log_id AS bigint INCREMENT BY 1000;

CREATE TABLE request_log (
  id bigint PRIMARY KEY,
  request_id text NOT NULL,
  query text,
  user_id integer,
  developer_key_id integer,
  status integer NOT NULL,
  error_code text,
  duration_ms real NOT NULL,
  ip text,
  headers jsonb,
  request text,
  response text,
  is_calculation boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE INDEX request_log_created ON request_log (created_at);
CREATE INDEX request_log_user ON request_log (user_id, created_at);

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

-- One row per calculation that was possible: statistics, allowance and drawings start here.
CREATE TABLE calculation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id uuid NOT NULL UNIQUE,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  log_id bigint,
  kind text NOT NULL CHECK (kind IN ('takeoff', 'landingDispatch', 'landingEnroute', 'other')),
  profile text NOT NULL,
  airport text,
  request jsonb NOT NULL,
  result jsonb NOT NULL,
  -- Drawing scenes by name (factored, unfactored, dispatch), input of graphic.render.
  scenes jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL
);
CREATE INDEX calculation_user ON calculation (user_id, created_at);
CREATE INDEX calculation_created ON calculation (created_at);

CREATE TABLE graphic (
  calculation_id bigint NOT NULL REFERENCES calculation (id) ON DELETE CASCADE,
  name text NOT NULL,
  format text NOT NULL CHECK (format IN ('svg', 'png', 'jpg')),
  path text NOT NULL,
  etag text NOT NULL,
  bytes integer NOT NULL,
  drawn_at timestamptz NOT NULL,
  PRIMARY KEY (calculation_id, name, format)
);

CREATE UNLOGGED TABLE rate_limit (
  key text NOT NULL,
  window_start timestamptz NOT NULL,
  used integer NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (key, window_start)
);
CREATE INDEX rate_limit_expires ON rate_limit (expires_at);

-- Effects that must happen once, by key (mails sent, webhooks applied).
CREATE TABLE effect (
  key text PRIMARY KEY,
  kind text NOT NULL,
  done_at timestamptz NOT NULL
);
