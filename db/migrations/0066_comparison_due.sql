-- Subscriptions at a gateway whose nightly comparison is due, since when, and what its list of changes says of them,
-- oldest first; null: it has no list.
CREATE TABLE gateway_comparison_due (
  gateway text NOT NULL REFERENCES gateway (code),
  reference text NOT NULL,
  due_since timestamptz NOT NULL,
  notices jsonb,
  PRIMARY KEY (gateway, reference)
);
