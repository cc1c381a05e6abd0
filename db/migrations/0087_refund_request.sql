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

-- Until when each gateway was compared with what is stored here; the next comparison begins there.
CREATE TABLE gateway_comparison (
  gateway text PRIMARY KEY REFERENCES gateway (code),
  compared_until timestamptz NOT NULL
);
