-- Shares of plans. A row is kept after its revocation, and after the deletion of the plan.
CREATE TABLE ofp_share (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  ofp_id text NOT NULL,
  -- The account that has accepted it, or that has the invited address.
  recipient_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  email text,
  permission text NOT NULL CHECK (permission IN ('view', 'edit')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'revoked')),
  -- SHA-256 of the token, HMAC of the code, which is short; both in plain text only for their owner.
  token_hash bytea NOT NULL,
  code_hash bytea NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  accepted_at timestamptz,
  revoked_at timestamptz,
  expires_at timestamptz,
  CHECK (status <> 'accepted' OR recipient_id IS NOT NULL),
  CHECK ((status = 'revoked') = (revoked_at IS NOT NULL))
);
CREATE UNIQUE INDEX ofp_share_token ON ofp_share (token_hash);
CREATE UNIQUE INDEX ofp_share_code ON ofp_share (code_hash);
CREATE INDEX ofp_share_owner ON ofp_share (owner_id, ofp_id);
CREATE INDEX ofp_share_recipient ON ofp_share (recipient_id, ofp_id);
CREATE INDEX ofp_share_email ON ofp_share (lower(email));
