-- What the gateway holds, only ever from the gateway; gateway_status, auto_renew and pause_* of a subscription are what
-- users see: the agreement with the orders that are under way.
CREATE TABLE agreement (
  subscription_id integer PRIMARY KEY REFERENCES subscription (id) ON DELETE CASCADE,
  intent text NOT NULL CHECK (intent IN ('Running', 'paused', 'Cancelled')),
  is_lapsed boolean NOT NULL,
  auto_renew boolean NOT NULL,
  pause_until date,
  pause_reason text,
  -- By field, the gateway's own time of the message that set it: the newest wins, in whichever order they arrive.
  clocks jsonb NOT NULL DEFAULT '{}',
  -- What was stored before does not tell: the gateway is asked.
  is_uncertain boolean NOT NULL DEFAULT false
);
CREATE INDEX agreement_uncertain ON agreement (subscription_id) WHERE is_uncertain;

-- An order may have reached the gateway once an attempt was made whose outcome is not known.
ALTER TABLE gateway_order ADD COLUMN was_sent boolean NOT NULL DEFAULT false;
UPDATE gateway_order SET was_sent = true WHERE state = 'pending' AND attempts > 0;

INSERT INTO agreement (subscription_id, intent, is_lapsed, auto_renew, pause_until, pause_reason, clocks, is_uncertain)
SELECT s.id,
  -- A change that the gateway has not confirmed is not what it holds.
  CASE WHEN open.status THEN 'Running' ELSE s.intent END,
  s.gateway_status = 'Expired',
  s.auto_renew OR coalesce(open.stop, false),
  CASE WHEN open.status THEN NULL ELSE s.pause_until END,
  CASE WHEN open.status THEN NULL ELSE s.pause_reason END,
  CASE WHEN open.status OR open.stop THEN s.clocks - '{intent,autoRenew,pauseUntil,pauseReason}'::text[] ELSE s.clocks END,
  s.reference IS NOT NULL AND s.gateway IN ('2checkout', 'paypal') AND (coalesce(open.status OR open.stop, false)
    -- Refunds switched the renewal off here alone.
    OR (NOT s.auto_renew AND s.intent <> 'Cancelled' AND EXISTS (
      SELECT 1 FROM payment p WHERE p.subscription_id = s.id AND p.status IN ('REFUNDED', 'REVERSED'))))
FROM subscription s LEFT JOIN LATERAL (
  SELECT bool_or(o.verb IN ('pause', 'resume', 'cancel')) AS status, bool_or(o.verb IN ('cancel', 'renewalOff')) AS stop
  FROM gateway_order o
  WHERE o.subscription_id = s.id AND o.state IN ('pending', 'refused') AND NOT EXISTS (
    SELECT 1 FROM gateway_order done WHERE done.subscription_id = s.id AND done.state = 'done' AND done.id > o.id)
) open ON true;

ALTER TABLE subscription DROP COLUMN intent, DROP COLUMN clocks;
