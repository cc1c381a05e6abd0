-- The request log by day, in partitions that are dropped whole.

CREATE SEQUENCE request_log_id AS bigint INCREMENT BY 1000;

CREATE SEQUENCE request_log_body_id AS bigint;

-- One row per call. The kinds differ in retention: calculations are kept longer.
CREATE TABLE request_log (
  id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  body_id bigint NOT NULL,
  -- Position in the entries of the body.
  body_slot integer NOT NULL,
  duration_ms real NOT NULL,
  user_id integer,
  developer_key_id integer,
  status integer NOT NULL,
  is_calculation boolean NOT NULL,
  request_id text NOT NULL,
  query text,
  error_code text,
  ip text,
  PRIMARY KEY (id, created_at, is_calculation)
) PARTITION BY LIST (is_calculation);
CREATE INDEX request_log_user ON request_log (user_id, created_at) WHERE user_id IS NOT NULL;

-- Headers, requests and responses of the rows of one batch, together (libs/data-sources/postgres/requests/bodies.ts).
CREATE TABLE request_log_body (
  id bigint NOT NULL,
  -- Midnight UTC of the day of its rows.
  created_at timestamptz NOT NULL,
  is_calculation boolean NOT NULL,
  codec text NOT NULL CHECK (codec IN ('plain', 'zstd')),
  entries bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (id, created_at, is_calculation)
) PARTITION BY LIST (is_calculation);

CREATE TABLE request_log_calls PARTITION OF request_log FOR VALUES IN (false) PARTITION BY RANGE (created_at);
CREATE TABLE request_log_calculations PARTITION OF request_log FOR VALUES IN (true) PARTITION BY RANGE (created_at);
CREATE TABLE request_log_body_calls PARTITION OF request_log_body FOR VALUES IN (false) PARTITION BY RANGE (created_at);
CREATE TABLE request_log_body_calculations PARTITION OF request_log_body FOR VALUES IN (true) PARTITION BY RANGE (created_at);
CREATE INDEX request_log_calls_key ON request_log_calls (developer_key_id, created_at) WHERE developer_key_id IS NOT NULL;
CREATE INDEX request_log_calculations_key ON request_log_calculations (developer_key_id, created_at) WHERE developer_key_id IS NOT NULL;

-- What an open report refers to, copied before its day is dropped.
CREATE TABLE request_log_kept (
  id bigint PRIMARY KEY,
  created_at timestamptz NOT NULL,
  duration_ms real NOT NULL,
  user_id integer,
  developer_key_id integer,
  status integer NOT NULL,
  is_calculation boolean NOT NULL,
  request_id text NOT NULL,
  query text,
  error_code text,
  ip text,
  headers text,
  request text,
  response text
);

-- ATTACH waits for no insert and blocks none, unlike CREATE TABLE … PARTITION OF.
CREATE FUNCTION request_log_make_day(day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  leaf text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('request_log_day'));
  FOREACH parent IN ARRAY ARRAY['request_log_calls', 'request_log_calculations', 'request_log_body_calls',
    'request_log_body_calculations'] LOOP
    leaf := parent || to_char(day, '_YYYYMMDD');
    CONTINUE WHEN to_regclass(leaf) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', leaf, parent);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, leaf,
      day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
  END LOOP;
END $$;

-- False, and nothing is dropped, while the day has a row with an open report that is not in request_log_kept. The timeout is short,
-- because inserts queue behind a lock that is waited for.
CREATE FUNCTION request_log_drop_day(day date, of_calculations boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  kind text := CASE WHEN of_calculations THEN 'calculations' ELSE 'calls' END;
  suffix text := kind || to_char(day, '_YYYYMMDD');
  is_needed boolean;
BEGIN
  PERFORM set_config('lock_timeout', '100ms', true);
  PERFORM pg_advisory_xact_lock(hashtext('request_log_day'));
  EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', 'request_log_' || kind);
  EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', 'request_log_body_' || kind);
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM problem_report p JOIN %I l ON l.id = p.log_id
    WHERE p.closed_at IS NULL AND NOT EXISTS (SELECT 1 FROM request_log_kept k WHERE k.id = p.log_id))',
    'request_log_' || suffix) INTO is_needed;
  IF is_needed THEN RETURN false; END IF;
  EXECUTE format('DROP TABLE %I, %I', 'request_log_' || suffix, 'request_log_body_' || suffix);
  RETURN true;
END $$;

SELECT request_log_make_day((now() AT TIME ZONE 'UTC')::date + ahead) FROM generate_series(0, 2) AS ahead;
