-- Products, subscriptions, what gateways say of them, and the ledger. Amounts are minor units of their currency.

CREATE TABLE gateway (
  code text PRIMARY KEY,
  kind text NOT NULL UNIQUE CHECK (kind IN ('card', 'wallet', 'store'))
);

CREATE TABLE product (
  code text PRIMARY KEY,
  title text NOT NULL,
  group_package text,
  rank integer,
  level integer NOT NULL CHECK (level >= 0),
  frequency text NOT NULL CHECK (frequency IN ('monthly', 'yearly', 'unknown')),
  duration_days integer NOT NULL CHECK (duration_days > 0),
  currency text NOT NULL DEFAULT 'EUR',
  max_calculation integer NOT NULL,
  library_quota_mb integer NOT NULL DEFAULT 0,
  is_notam boolean NOT NULL DEFAULT false,
  is_nnc boolean NOT NULL DEFAULT false,
  is_mel boolean NOT NULL DEFAULT false,
  is_cdl boolean NOT NULL DEFAULT false,
  is_most_fav boolean NOT NULL DEFAULT false,
  is_balked_landing boolean NOT NULL DEFAULT false,
  is_all_intersections boolean NOT NULL DEFAULT false,
  is_commercial boolean NOT NULL DEFAULT false,
  is_fleet_database boolean NOT NULL DEFAULT false,
  -- Empty: every airport. Only the preview product narrows it.
  allowed_airports text[] NOT NULL DEFAULT '{}',
  image text,
  is_active boolean NOT NULL DEFAULT true,
  price_minor bigint NOT NULL CHECK (price_minor >= 0),
  -- Days that a change from the wallet to the card gateway adds, by target.
  migration_bonus_days integer NOT NULL DEFAULT 0 CHECK (migration_bonus_days >= 0),
  -- What an account may store besides its library: flight plans, flight data with their history, checklists, fleet profiles.
  storage_quota_mb integer NOT NULL DEFAULT 250 CHECK (storage_quota_mb >= 0),
  -- Prices in further currencies, in minor units by ISO 4217 code: {"USD": 1099}. What is paid in one of them is enough.
  other_prices jsonb NOT NULL DEFAULT '{}',
  -- How many checklists a user of the product keeps; those of an airline have a limit of their own.
  max_checklists integer NOT NULL DEFAULT 100 CHECK (max_checklists >= 0),
  -- The allowance of a product is over the last allowance_days days. The visitors of /try share one of a day, which 24 hours of one
  -- address (60 an hour) do not use up; it cannot be bought.
  allowance_days integer NOT NULL DEFAULT 30 CHECK ((allowance_days >= 1) AND (allowance_days <= 30))
);

CREATE TABLE promo_code (
  code text PRIMARY KEY CHECK (code = upper(code)),
  percent integer NOT NULL CHECK ((percent >= 1) AND (percent <= 100)),
  -- NULL: for every product.
  product_code text REFERENCES product (code),
  -- False: the first payment only. A number of cycles limits a recurring one; NULL is unlimited.
  is_recurring boolean NOT NULL DEFAULT false,
  max_cycles integer CHECK (max_cycles > 0),
  expires_at timestamptz,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL
);

CREATE TABLE subscription (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  product_code text NOT NULL REFERENCES product (code),
  -- NULL: granted by the operator (payment method "commercial" or "unknown").
  gateway text REFERENCES gateway (code),
  reference text,
  gateway_status text NOT NULL DEFAULT 'Running' CHECK (gateway_status IN ('Running', 'paused', 'Cancelled', 'Expired')),
  auto_renew boolean NOT NULL DEFAULT false,
  pause_until date,
  pause_reason text,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  price_paid_minor bigint NOT NULL DEFAULT 0,
  currency text,
  next_billing_at timestamptz,
  next_billing_minor bigint,
  last_payment_at timestamptz,
  cycles_completed integer NOT NULL DEFAULT 0,
  subscriber_email text,
  subscriber_name text,
  card_last4 text,
  promo_code text,
  discount_percent integer,
  discount_recurring boolean,
  discount_max_cycles integer,
  cancel_reason text,
  reconciled_at timestamptz,
  -- True when the gateway named the amount of the next renewal without taxes.
  next_billing_is_net boolean NOT NULL DEFAULT false,
  -- Whether the subscription gave access when its user was last notified, so that a lapse by time is mailed once.
  had_access boolean
);
CREATE INDEX subscription_user ON subscription (user_id, ends_at);
CREATE UNIQUE INDEX subscription_reference ON subscription (gateway, reference) WHERE reference IS NOT NULL;
CREATE INDEX subscription_lapse ON subscription (ends_at) WHERE had_access;
CREATE INDEX subscription_begin ON subscription (starts_at) WHERE NOT had_access;
CREATE INDEX subscription_search ON subscription USING gin (lower(reference) gin_trgm_ops);
CREATE INDEX subscription_product ON subscription (product_code, id);
CREATE INDEX subscription_pause ON subscription (pause_until) WHERE gateway_status = 'paused';

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

-- What the gateway holds, only ever from the gateway; gateway_status, auto_renew and pause_* of a subscription are what users see: the
-- agreement with the orders that are under way.
CREATE TABLE agreement (
  subscription_id integer PRIMARY KEY REFERENCES subscription (id) ON DELETE CASCADE,
  intent text NOT NULL CHECK (intent IN ('Running', 'paused', 'Cancelled')),
  is_lapsed boolean NOT NULL,
  auto_renew boolean NOT NULL,
  pause_until date,
  pause_reason text,
  -- By field, the gateway's own time of the message that set it: the newest wins, in whichever order they arrive.
  clocks jsonb NOT NULL DEFAULT '{}',
  -- The stored rows do not tell: the gateway is asked.
  is_uncertain boolean NOT NULL DEFAULT false,
  product_code text REFERENCES product (code),
  ends_at timestamptz,
  is_end_day boolean NOT NULL DEFAULT false
);
CREATE INDEX agreement_uncertain ON agreement (subscription_id) WHERE is_uncertain;

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
  ended_at timestamptz,
  -- An order may have reached the gateway once an attempt was made whose outcome is not known.
  was_sent boolean NOT NULL DEFAULT false,
  -- When the last attempt was made that may have reached the gateway: its readers show for some minutes
  -- what was so before.
  sent_at timestamptz
);
CREATE INDEX gateway_order_subscription ON gateway_order (subscription_id, id);
CREATE INDEX gateway_order_ended ON gateway_order (ended_at) WHERE state <> 'pending';

-- Messages of gateways: the bytes as received, once by the provider's id, whatever is made of them later.
CREATE TABLE gateway_event (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway text NOT NULL REFERENCES gateway (code),
  event text NOT NULL,
  event_id text NOT NULL,
  raw bytea NOT NULL,
  content_type text,
  received_at timestamptz NOT NULL,
  -- The provider's own clock.
  occurred_at timestamptz NOT NULL,
  -- The provider's name of the subscription; events of one are applied one after the other.
  reference text,
  state text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'applied', 'ignored', 'parked')),
  reason text,
  applied_at timestamptz,
  user_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  subscription_id integer REFERENCES subscription (id) ON DELETE CASCADE,
  -- The buyer's address in a parked message, so that a purchase before its account exists can be claimed.
  email text
);
CREATE UNIQUE INDEX gateway_event_id ON gateway_event (gateway, event, event_id);
CREATE INDEX gateway_event_open ON gateway_event (state, received_at) WHERE state IN ('received', 'parked');
CREATE INDEX gateway_event_subscription ON gateway_event (subscription_id);
CREATE INDEX gateway_event_user ON gateway_event (user_id);
CREATE INDEX gateway_event_received ON gateway_event (received_at);
CREATE INDEX gateway_event_email ON gateway_event (lower(email)) WHERE state = 'parked';
CREATE INDEX gateway_event_reference ON gateway_event (gateway, reference);

-- Until when each gateway was compared with what is stored here; the next comparison begins there.
CREATE TABLE gateway_comparison (
  gateway text PRIMARY KEY REFERENCES gateway (code),
  compared_until timestamptz NOT NULL
);

-- Subscriptions at a gateway whose nightly comparison is due, since when, and what its list of changes says of them, oldest first; null:
-- it has no list.
CREATE TABLE gateway_comparison_due (
  gateway text NOT NULL REFERENCES gateway (code),
  reference text NOT NULL,
  due_since timestamptz NOT NULL,
  notices jsonb,
  PRIMARY KEY (gateway, reference)
);

-- A change from the wallet to the card gateway that waits for the purchase.
CREATE TABLE migration_intent (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  subscription_id integer NOT NULL REFERENCES subscription (id) ON DELETE CASCADE,
  target_code text NOT NULL REFERENCES product (code),
  state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'COMPLETED', 'CANCELLED', 'EXPIRED')),
  checkout_url text NOT NULL,
  remaining_days integer NOT NULL,
  bonus_days integer NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  new_subscription_id integer REFERENCES subscription (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX migration_intent_pending ON migration_intent (user_id) WHERE state = 'PENDING';
CREATE INDEX migration_intent_user ON migration_intent (user_id, created_at DESC);
CREATE INDEX migration_intent_old ON migration_intent (subscription_id);
CREATE INDEX migration_intent_new ON migration_intent (new_subscription_id);
CREATE INDEX migration_intent_ended ON migration_intent (ended_at) WHERE ended_at IS NOT NULL;

-- What the law of accounts needs of a deleted account: payments, without the person.
CREATE TABLE retained_payment (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_code text NOT NULL,
  gateway text,
  reference text,
  price_paid numeric(10,2) NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  deleted_at timestamptz NOT NULL,
  -- Bookkeeping outlives the account, without the person.
  transaction_id text,
  currency text
);

CREATE TABLE ledger (
  id integer GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME payment_id_seq),
  user_id integer NOT NULL,
  subscription_id integer NOT NULL,
  gateway text,
  transaction_id text,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'days', 'moved', 'plan', 'end')),
  status text,
  amount_minor bigint NOT NULL DEFAULT 0,
  currency text,
  method text,
  paid_at timestamptz NOT NULL,
  reported_at timestamptz NOT NULL,
  of_transaction_id text,
  charge_minor bigint,
  product_code text REFERENCES product (code),
  ends_at timestamptz,
  back_at timestamptz,
  days integer,
  cause text,
  CONSTRAINT payment_status_check CHECK (status IN ('PENDING', 'COMPLETED', 'FAILED', 'REFUNDED', 'REVERSED')),
  CONSTRAINT payment_gateway_fkey FOREIGN KEY (gateway) REFERENCES gateway (code),
  CONSTRAINT payment_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription (id) ON DELETE CASCADE,
  CONSTRAINT payment_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE CASCADE,
  CONSTRAINT payment_pkey PRIMARY KEY (id)
);
CREATE INDEX payment_user ON ledger (user_id, paid_at DESC);
CREATE INDEX payment_subscription ON ledger (subscription_id);
CREATE UNIQUE INDEX ledger_report ON ledger (gateway, transaction_id, kind, status, amount_minor, reported_at);

-- Payments as they are now: of several reports the newest by the provider's clock.
CREATE VIEW payment AS
SELECT DISTINCT ON (user_id, subscription_id, gateway, transaction_id, kind, refund_minor)
  min(id) OVER (PARTITION BY user_id, subscription_id, gateway, transaction_id, kind, refund_minor) AS id,
  user_id, subscription_id, gateway, transaction_id, kind, status, amount_minor, currency, method, paid_at, reported_at,
  of_transaction_id
FROM (
  SELECT *, CASE kind WHEN 'refund' THEN amount_minor END AS refund_minor FROM ledger WHERE kind IN ('payment', 'refund')
) report
ORDER BY user_id, subscription_id, gateway, transaction_id, kind, refund_minor, reported_at DESC, status DESC;

-- Refunds that administrators asked for: reserved before the gateway is asked, so that no sum is given back twice.
CREATE TABLE refund_request (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription_id integer NOT NULL REFERENCES subscription (id) ON DELETE CASCADE,
  -- Of the payment at its gateway.
  transaction_id text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  reason text NOT NULL,
  -- Id of the administrator; it outlives the account.
  requested_by integer NOT NULL,
  requested_at timestamptz NOT NULL,
  -- `unknown`: the gateway gave no answer, so the sum stays reserved.
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'accepted', 'refused', 'unknown')),
  -- Of the gateway.
  refund_id text,
  ended_at timestamptz
);
CREATE INDEX refund_request_subscription ON refund_request (subscription_id);

CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are only added', TG_TABLE_NAME;
END $$;

CREATE TRIGGER ledger_only_grows BEFORE UPDATE ON ledger FOR EACH ROW EXECUTE FUNCTION refuse_update();

INSERT INTO gateway (code, kind) VALUES
  ('2checkout', 'card'),
  ('apple', 'store'),
  ('paypal', 'wallet');

INSERT INTO product (code, title, group_package, rank, level, frequency, duration_days, currency, max_calculation, library_quota_mb, is_notam, is_nnc, is_mel, is_cdl, is_most_fav, is_balked_landing, is_all_intersections, is_commercial, is_fleet_database, allowed_airports, is_active, price_minor, migration_bonus_days, storage_quota_mb, other_prices, max_checklists, allowance_days) VALUES
  ('EFB_COMMERCIAL_Y', 'Commercial, yearly', 'COMMERCIAL', NULL, 3, 'yearly', 365, 'EUR', 1000000, 10000, true, true, true, true, true, true, true, true, true, '{}', true, 99900, 0, 10000, '{}', 1000, 30),
  ('EFB_LITE_M', 'Lite, monthly', 'LITE', 1, 1, 'monthly', 30, 'EUR', 50, 100, false, false, false, false, true, false, false, false, true, '{}', true, 299, 3, 500, '{}', 200, 30),
  ('EFB_LITE_Y', 'Lite, yearly', 'LITE', 2, 1, 'yearly', 365, 'EUR', 50, 100, false, false, false, false, true, false, false, false, true, '{}', true, 2990, 10, 500, '{}', 200, 30),
  ('EFB_PREVIEW', 'Preview', NULL, NULL, 0, 'unknown', 36500, 'EUR', 10, 0, false, false, false, false, false, false, false, false, false, '{KJFK,KLAX,KBOS,KSEA,KMIA,EGLL,EDDF,LFPG}', true, 0, 0, 250, '{}', 100, 30),
  ('EFB_PRO_M', 'Pro, monthly', 'PRO', 5, 3, 'monthly', 30, 'EUR', 2000, 2000, true, true, true, true, true, true, true, false, true, '{}', true, 999, 9, 2000, '{}', 500, 30),
  ('EFB_PRO_Y', 'Pro, yearly', 'PRO', 6, 3, 'yearly', 365, 'EUR', 2000, 2000, true, true, true, true, true, true, true, false, true, '{}', true, 9990, 30, 2000, '{}', 500, 30),
  ('EFB_STANDARD_M', 'Standard, monthly', 'STANDARD', 3, 2, 'monthly', 30, 'EUR', 250, 500, true, true, false, false, true, false, true, false, true, '{}', true, 599, 6, 1000, '{}', 300, 30),
  ('EFB_STANDARD_Y', 'Standard, yearly', 'STANDARD', 4, 2, 'yearly', 365, 'EUR', 250, 500, true, true, false, false, true, false, true, false, true, '{}', true, 5990, 20, 1000, '{}', 300, 30),
  ('EFB_VISITORS', 'Visitors', NULL, NULL, 3, 'unknown', 36500, 'EUR', 3000, 0, true, true, true, true, true, true, true, false, false, '{}', false, 0, 0, 250, '{}', 100, 1);
