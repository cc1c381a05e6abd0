-- Feeds, jobs, mails, webhooks of applications, and what protects calls that write.

-- What each feed promises, written by the scheduler when it starts, for everybody who shows their state.
CREATE TABLE feed (
  name text PRIMARY KEY,
  schedule text NOT NULL,
  grace_minutes integer NOT NULL,
  stale_minutes integer NOT NULL,
  -- A feed that has no source in this configuration: nothing runs, nothing is wrong.
  is_off boolean NOT NULL DEFAULT false,
  is_simulated boolean NOT NULL DEFAULT false
);

-- Runs of every feed.
CREATE TABLE feed_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  feed text NOT NULL,
  slot timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  ok boolean,
  not_modified boolean NOT NULL DEFAULT false,
  received integer,
  stored integer,
  rejected integer,
  bytes bigint,
  error text,
  source text,
  -- The job and the process of a run, so that the process that takes the job over can close the row of a killed one.
  job_id text,
  process text,
  -- Manual runs are kept apart from those of the schedule; the time of the stored data refuses older ones; the scheduler declares whether
  -- its sources are simulated.
  is_manual boolean NOT NULL DEFAULT false
);
CREATE INDEX feed_run_feed ON feed_run (feed, started_at DESC);
CREATE INDEX feed_run_unfinished ON feed_run (job_id) WHERE finished_at IS NULL;

-- One row per feed: what the next run and the status need without reading the history.
CREATE TABLE feed_state (
  feed text PRIMARY KEY,
  last_count integer,
  last_success_at timestamptz,
  last_change_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  last_duration_ms integer,
  consecutive_failures integer NOT NULL DEFAULT 0,
  validators jsonb NOT NULL DEFAULT '{}',
  retry_at timestamptz,
  last_source text,
  -- The airports that come with the service are no success of the feed: the day of that copy, until a run of the feed has succeeded.
  seed_date date,
  last_data_at timestamptz,
  -- What the operator should know of a feed that is up: the last stored run said it.
  notice text
);

-- The feeds that were down when they were last looked at.
CREATE TABLE feed_watch (
  feed text PRIMARY KEY,
  down_since timestamptz NOT NULL
);

-- The last slot of each schedule that was enqueued. The round goes up whenever the clock is found to have gone back, so that a slot that
-- is reached again has a new dedupe key.
CREATE TABLE tick (
  name text PRIMARY KEY,
  slot timestamptz NOT NULL,
  round integer NOT NULL DEFAULT 0
);

-- Effects that must happen once, by key (mails sent, webhooks applied).
CREATE TABLE effect (
  key text PRIMARY KEY,
  kind text NOT NULL,
  done_at timestamptz NOT NULL
);
CREATE INDEX effect_done ON effect (kind, done_at);

-- Mails on their way: written in the transaction of what they tell about, sent by mail.send.
CREATE TABLE outgoing_mail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Names the mail: the same key is one mail.
  key text NOT NULL UNIQUE,
  recipient text NOT NULL,
  subject text NOT NULL,
  -- NULL once a secret mail (one with a token in it) was sent.
  body_text text,
  body_html text,
  attachments jsonb NOT NULL DEFAULT '[]',
  is_secret boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'answered', 'sent', 'refused')),
  unanswered integer NOT NULL DEFAULT 0,
  answer text
);
CREATE INDEX outgoing_mail_sent ON outgoing_mail (sent_at);
CREATE INDEX outgoing_mail_recipient ON outgoing_mail (lower(recipient));
CREATE INDEX outgoing_mail_account_deleted ON outgoing_mail (sent_at) WHERE key ~~ 'account-deleted:%';
CREATE INDEX outgoing_mail_secret ON outgoing_mail (created_at) WHERE is_secret AND (sent_at IS NULL);
CREATE INDEX outgoing_mail_unsent ON outgoing_mail (state) WHERE state <> 'sent';

-- Webhooks of applications: where they are sent, what is sent, and which feeds were down.
CREATE TABLE webhook_endpoint (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  developer_key_id integer NOT NULL REFERENCES developer_key (id) ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL,
  -- The secret that signs, sealed; after a rotation the one before signs, too, until this time.
  secret_sealed bytea NOT NULL,
  previous_sealed bytea,
  previous_until timestamptz,
  created_at timestamptz NOT NULL,
  -- Since the first failure after the last success; null: the last attempt succeeded, or there was none.
  failing_since timestamptz,
  disabled_at timestamptz
);
CREATE INDEX webhook_endpoint_key ON webhook_endpoint (developer_key_id);

CREATE TABLE webhook_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id integer NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
  -- The same in every attempt, for receivers that have had it already.
  message_id uuid NOT NULL DEFAULT gen_random_uuid(),
  event text NOT NULL,
  body text NOT NULL,
  -- Whom it is about; null: nobody.
  user_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Of the next attempt; null: delivered, or given up.
  next_at timestamptz,
  last_attempt_at timestamptz,
  -- Of the last attempt: its HTTP status, or why there was none.
  last_status integer,
  last_error text,
  delivered_at timestamptz
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_delivery_endpoint ON webhook_delivery (endpoint_id, id);
CREATE INDEX webhook_delivery_user ON webhook_delivery (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX webhook_delivery_created ON webhook_delivery (created_at);

CREATE UNLOGGED TABLE rate_limit (
  key text NOT NULL,
  window_start timestamptz NOT NULL,
  used integer NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (key, window_start)
);
CREATE INDEX rate_limit_expires ON rate_limit (expires_at);

-- Calls that write and carry the header Idempotency-Key: a repetition within a day gets the answer of the first.
CREATE TABLE idempotency_key (
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  key text NOT NULL,
  -- SHA-256 of operation, body and file: another call with the same key is refused.
  fingerprint bytea NOT NULL,
  -- Of the process that runs the call; once another one has taken it over, the first can no longer commit.
  claim uuid NOT NULL,
  claimed_at timestamptz NOT NULL,
  -- Set by each transaction of the call, so that it is never run again.
  is_applied boolean NOT NULL DEFAULT false,
  -- JSON of the answer, sealed, since it may contain secrets; null: not yet, or too large to be kept.
  answer bytea,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_key_created ON idempotency_key (created_at);

-- The ids that clients give to what they create: a repeat, however late, is answered from the row that the first call created.
CREATE TABLE client_id (
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  kind text NOT NULL,
  client_id text NOT NULL,
  row_id text COLLATE "C" NOT NULL,
  -- When the row was deleted: for some time a repeat is still known not to create it again.
  gone_at timestamptz,
  PRIMARY KEY (user_id, kind, client_id),
  CONSTRAINT client_id_row UNIQUE (kind, row_id)
);
CREATE INDEX client_id_gone ON client_id (gone_at) WHERE gone_at IS NOT NULL;

-- Keys of stored files that are being written and that no row refers to yet. The transaction that refers to a file removes its key; what
-- remains is left over from a failure, and the sweep deletes the file.
CREATE TABLE file_write (
  key text PRIMARY KEY,
  started_at timestamptz NOT NULL
);
CREATE INDEX file_write_started_at ON file_write (started_at);

-- Which file storage belongs to this database: the same id lies there as `storage-id`.
CREATE TABLE storage_identity (
  id text NOT NULL,
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);

-- The last backup that was restored on trial and had every row.
CREATE TABLE backup (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  file text NOT NULL,
  taken_at timestamptz NOT NULL,
  bytes bigint NOT NULL
);

-- A row that is deleted in any way, also with its user or airline, leaves the key of its file to the sweep. The argument is the column
-- with the key. A transaction that is rolled back leaves nothing.
CREATE FUNCTION leave_file_to_sweep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_write (key, started_at)
  SELECT to_jsonb(OLD) ->> TG_ARGV[0], '-infinity' WHERE to_jsonb(OLD) ->> TG_ARGV[0] IS NOT NULL
  ON CONFLICT (key) DO NOTHING;
  RETURN NULL;
END $$;

-- Arguments: the kind, and the column of the id.
CREATE FUNCTION part_client_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE client_id k SET gone_at = now() FROM gone WHERE k.kind = $1 AND k.row_id = gone.%I::text', TG_ARGV[1])
  USING TG_ARGV[0];
  RETURN NULL;
END $$;

CREATE TRIGGER part_client_id AFTER DELETE ON calculation REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('calculation', 'public_id');
