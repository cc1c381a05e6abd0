-- After the upgrade: only the previous version stores what the card gateway says about the next payment.
ALTER TABLE subscription DROP COLUMN next_billing_minor, DROP COLUMN next_billing_is_net;
