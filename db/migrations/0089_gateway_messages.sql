-- The buyer's address in a parked message, so that a purchase before its account exists can be claimed.
ALTER TABLE gateway_event ADD COLUMN email text;
CREATE INDEX gateway_event_email ON gateway_event (lower(email)) WHERE state = 'parked';
-- Parked messages are read again by the next nightly comparison, which notes their addresses.
UPDATE gateway_event SET state = 'received' WHERE state = 'parked';

-- True when the gateway named the amount of the next renewal without taxes.
ALTER TABLE subscription ADD COLUMN next_billing_is_net boolean NOT NULL DEFAULT false;
