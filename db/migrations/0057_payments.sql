-- Every payment and refund that a gateway has reported.
CREATE TABLE payment (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  subscription_id integer NOT NULL REFERENCES subscription (id) ON DELETE CASCADE,
  gateway text NOT NULL REFERENCES gateway (code),
  transaction_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund')),
  status text NOT NULL CHECK (status IN ('PENDING', 'COMPLETED', 'FAILED', 'REFUNDED', 'REVERSED')),
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  method text,
  paid_at timestamptz NOT NULL,
  -- The provider's time of the report that the status is from.
  reported_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX payment_transaction ON payment (gateway, transaction_id, kind);
CREATE INDEX payment_user ON payment (user_id, paid_at DESC);
CREATE INDEX payment_subscription ON payment (subscription_id);

-- Bookkeeping outlives the account, without the person.
ALTER TABLE retained_payment ADD COLUMN transaction_id text, ADD COLUMN currency text;

-- Why a subscription is in its state: what was done to it, by whom.
CREATE TABLE subscription_history (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription_id integer NOT NULL REFERENCES subscription (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  source text NOT NULL CHECK (source IN ('user', 'operator', 'gateway', 'sync', 'reconciliation')),
  what text NOT NULL,
  status_before text,
  status_after text,
  ends_before timestamptz,
  ends_after timestamptz
);
CREATE INDEX subscription_history_subscription ON subscription_history (subscription_id, id);

-- What a gateway still has to be told: written with the local change, done by `gateway.sync`.
CREATE TABLE gateway_order (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription_id integer NOT NULL REFERENCES subscription (id) ON DELETE CASCADE,
  verb text NOT NULL CHECK (verb IN ('pause', 'resume', 'cancel', 'renewalOn', 'renewalOff', 'changePlan', 'extend')),
  parameters jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'superseded', 'refused')),
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX gateway_order_subscription ON gateway_order (subscription_id, id);
