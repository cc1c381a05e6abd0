-- After the upgrade: the previous version looks for secrets in clear, or sealed without the id of their key.
ALTER TABLE app_user DROP COLUMN api_key, DROP COLUMN pin;
ALTER TABLE ofp_share DROP COLUMN sealed_before;
