-- Outside a transaction: orders are changed in batches.
-- When the last attempt was made that may have reached the gateway: its readers show for some minutes what was so before.
ALTER TABLE gateway_order ADD COLUMN IF NOT EXISTS sent_at timestamptz;

-- The version before sends an order without its time. Needed until none of its processes runs, after `migrate finish`.
CREATE OR REPLACE FUNCTION note_sending() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.sent_at := now(); RETURN NEW; END $$;
CREATE OR REPLACE TRIGGER note_sending BEFORE UPDATE OF was_sent ON gateway_order FOR EACH ROW
  WHEN (NEW.was_sent AND (NEW.attempts, NEW.sent_at) IS NOT DISTINCT FROM (OLD.attempts, OLD.sent_at))
  EXECUTE FUNCTION note_sending();

-- Nobody knows when these were tried last.
UPDATE gateway_order SET sent_at = now() WHERE id = ANY(ARRAY(
  SELECT id FROM gateway_order WHERE was_sent AND state = 'pending' AND sent_at IS NULL LIMIT 5000));
