-- When the last attempt was made that may have reached the gateway: its readers show for some minutes what was so before.
ALTER TABLE gateway_order ADD COLUMN sent_at timestamptz;
