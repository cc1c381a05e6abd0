-- What the customer wants of a subscription, also while it has run out (gateway_status is Expired then).
ALTER TABLE subscription ADD COLUMN intent text NOT NULL DEFAULT 'Running'
  CHECK (intent IN ('Running', 'paused', 'Cancelled'));
UPDATE subscription SET intent = gateway_status WHERE gateway_status <> 'Expired';
