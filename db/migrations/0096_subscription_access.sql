-- Whether the subscription gave access when its user was last notified, so that a lapse by time is mailed once.
ALTER TABLE subscription ADD COLUMN had_access boolean;
UPDATE subscription SET had_access = gateway_status <> 'Expired' AND starts_at <= now() AND ends_at > now();
