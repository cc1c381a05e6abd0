-- The request log by day: rows and compressed bodies in partitions, which are dropped whole.
ALTER TABLE request_log RENAME TO request_log_before;
ALTER TABLE request_log_before RENAME CONSTRAINT request_log_pkey TO request_log_before_pkey;
DROP INDEX request_log_created, request_log_user;
ALTER TABLE request_log_text RENAME TO request_log_text_before;
ALTER TABLE request_log_text_before RENAME CONSTRAINT request_log_text_pkey TO request_log_text_before_pkey;

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
CREATE SEQUENCE request_log_body_id AS bigint;

CREATE TABLE request_log_calls PARTITION OF request_log FOR VALUES IN (false) PARTITION BY RANGE (created_at);
CREATE TABLE request_log_calculations PARTITION OF request_log FOR VALUES IN (true) PARTITION BY RANGE (created_at);
CREATE TABLE request_log_body_calls PARTITION OF request_log_body FOR VALUES IN (false) PARTITION BY RANGE (created_at);
CREATE TABLE request_log_body_calculations PARTITION OF request_log_body FOR VALUES IN (true)
  PARTITION BY RANGE (created_at);

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

-- Responses that are the same for many calls are stored once, as logged, and named by their SHA-256.
CREATE TABLE request_log_text (
  digest bytea PRIMARY KEY,
  codec text NOT NULL CHECK (codec IN ('plain', 'zstd')),
  content bytea STORAGE EXTERNAL NOT NULL
);
-- The days whose rows refer to a text.
CREATE TABLE request_log_text_use (
  day date NOT NULL,
  is_calculation boolean NOT NULL,
  digest bytea NOT NULL REFERENCES request_log_text (digest),
  PRIMARY KEY (day, is_calculation, digest)
);
CREATE INDEX request_log_text_use_digest ON request_log_text_use (digest);

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

-- False, and nothing is dropped, while the day has a row with an open report that is not in request_log_kept.
-- The timeout is short, because inserts queue behind a lock that is waited for.
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
  DELETE FROM request_log_text_use u WHERE u.day = request_log_drop_day.day AND u.is_calculation = of_calculations;
  RETURN true;
END $$;

SELECT request_log_make_day(d.day) FROM (
  SELECT DISTINCT (created_at AT TIME ZONE 'UTC')::date AS day FROM request_log_before
  UNION SELECT (now() AT TIME ZONE 'UTC')::date + ahead FROM generate_series(0, 2) AS ahead) AS d ORDER BY d.day;

INSERT INTO request_log_text (digest, codec, content)
  SELECT digest, 'plain', convert_to(text, 'UTF8') FROM request_log_text_before;
INSERT INTO request_log_text_use (day, is_calculation, digest)
  SELECT DISTINCT (b.created_at AT TIME ZONE 'UTC')::date, b.is_calculation, b.response_digest
  FROM request_log_before b JOIN request_log_text t ON t.digest = b.response_digest;

-- A body for each existing row, in the format of bodies.ts; its id is that of the row. A response whose last members are
-- in a shared text gets them back.
INSERT INTO request_log_body (id, created_at, is_calculation, codec, entries)
  SELECT b.id, date_trunc('day', b.created_at, 'UTC'), b.is_calculation, 'plain',
    convert_to(json_build_array(json_build_array(octet_length(b.headers::text), octet_length(b.request),
      octet_length(r.own), encode(r.digest, 'hex'),
      -- All of the text.
      CASE WHEN r.digest IS NOT NULL THEN 2147483647 END, 0))::text || E'\n' ||
      coalesce(b.headers::text, '') || coalesce(b.request, '') || coalesce(r.own, ''), 'UTF8')
  FROM request_log_before b LEFT JOIN request_log_text_before t ON t.digest = b.response_digest
  CROSS JOIN LATERAL (SELECT CASE WHEN b.response IS NULL THEN t.digest END AS digest,
    CASE
      WHEN t.digest IS NULL THEN b.response
      WHEN b.response IS NULL THEN ''
      ELSE left(b.response, -1) || ',' || substr(t.text, 2)
    END AS own) AS r;
INSERT INTO request_log (id, created_at, body_id, body_slot, duration_ms, user_id, developer_key_id, status,
    is_calculation, request_id, query, error_code, ip)
  SELECT id, created_at, id, 0, duration_ms, user_id, developer_key_id, status, is_calculation, request_id, query,
    error_code, ip
  FROM request_log_before;
SELECT setval('request_log_body_id', (SELECT max(id) FROM request_log_body)) WHERE EXISTS (SELECT 1 FROM request_log_body);
DROP TABLE request_log_before, request_log_text_before;
