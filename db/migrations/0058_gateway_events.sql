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
  subscription_id integer REFERENCES subscription (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX gateway_event_id ON gateway_event (gateway, event, event_id);
CREATE INDEX gateway_event_open ON gateway_event (state, received_at) WHERE state IN ('received', 'parked');
CREATE INDEX gateway_event_subscription ON gateway_event (subscription_id);
CREATE INDEX gateway_event_user ON gateway_event (user_id);
CREATE INDEX gateway_event_received ON gateway_event (received_at);

-- Confirmation tokens that were accepted, until they would have expired anyway.
CREATE TABLE used_confirmation (
  token_hash bytea PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_confirmation_expires ON used_confirmation (expires_at);

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
