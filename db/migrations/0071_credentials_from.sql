-- Signatures and confirmations made before this moment are refused: it moves with the password. They carry their own
-- time in whole seconds, so nothing about them is stored, and this is a whole second, too. It changes only together with
-- token_generation, which the caches watch.
ALTER TABLE app_user ADD COLUMN credentials_from timestamptz NOT NULL DEFAULT 'epoch';
