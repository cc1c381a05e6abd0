-- The name of the self-made application that asked for a reset: its return address is linked by name, not redirected to.
ALTER TABLE password_reset_request ADD COLUMN application text;
ALTER TABLE password_reset ADD COLUMN application text;
