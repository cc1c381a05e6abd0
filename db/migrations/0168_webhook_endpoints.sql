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

-- The feeds that were down when they were last looked at.
CREATE TABLE feed_watch (
  feed text PRIMARY KEY,
  down_since timestamptz NOT NULL
);
