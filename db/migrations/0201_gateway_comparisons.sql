-- After the upgrade: the previous version keeps what the list of the card gateway says until it is applied, and asks again about rows from
-- before agreements. This one reads each subscription when its turn comes.
INSERT INTO gateway_comparison_due (gateway, reference, due_since)
  SELECT s.gateway, s.reference, now() FROM agreement a JOIN subscription s ON s.id = a.subscription_id
  WHERE a.is_uncertain AND s.gateway IS NOT NULL AND s.reference IS NOT NULL ON CONFLICT DO NOTHING;
ALTER TABLE agreement DROP COLUMN is_uncertain;
ALTER TABLE gateway_comparison_due DROP COLUMN notices;
