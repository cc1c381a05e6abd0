-- A deletion that waits for its confirmation; only the hash of the token is stored.
CREATE TABLE account_deletion (
  user_id integer PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL
);

-- What the law of accounts needs of a deleted account: payments, without the person.
CREATE TABLE retained_payment (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_code text NOT NULL,
  gateway text,
  reference text,
  price_paid numeric(10, 2) NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  deleted_at timestamptz NOT NULL
);
