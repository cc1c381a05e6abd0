-- Which keys of ENCRYPTION_KEYS have sealed something: a start compares their ids, and reads every account only where one is missing.
-- An empty id: something was sealed by a version that did not note its key.
CREATE TABLE sealing_key (id text PRIMARY KEY);

INSERT INTO sealing_key
SELECT DISTINCT coalesce(translate(encode(substring(sealed FOR 6), 'base64'), '+/', '-_'), '')
FROM (
  SELECT api_key_sealed FROM app_user WHERE api_key_sealed IS NOT NULL
  UNION ALL SELECT pin_sealed FROM app_user WHERE pin_sealed IS NOT NULL
  UNION ALL SELECT sealed FROM ofp_share WHERE sealed IS NOT NULL OR sealed_before IS NOT NULL
  UNION ALL SELECT secret_sealed FROM webhook_endpoint
) stored (sealed);
