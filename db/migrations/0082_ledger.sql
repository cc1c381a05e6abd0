-- What was paid, given back, granted and moved: rows that are only added. Of a payment each report is a row.
ALTER TABLE payment RENAME TO ledger;
ALTER TABLE ledger
  ALTER COLUMN gateway DROP NOT NULL,
  ALTER COLUMN transaction_id DROP NOT NULL,
  ALTER COLUMN status DROP NOT NULL,
  ALTER COLUMN currency DROP NOT NULL,
  ALTER COLUMN amount_minor SET DEFAULT 0,
  DROP CONSTRAINT payment_kind_check,
  ADD CONSTRAINT ledger_kind_check CHECK (kind IN ('payment', 'refund', 'days', 'moved', 'plan', 'end')),
  ADD COLUMN of_transaction_id text,
  ADD COLUMN charge_minor bigint,
  ADD COLUMN product_code text REFERENCES product (code),
  -- Until when it is paid, as far as it was named; of a payment that was given back: when its access ended.
  ADD COLUMN ends_at timestamptz,
  ADD COLUMN back_at timestamptz,
  ADD COLUMN days integer,
  ADD COLUMN cause text;
UPDATE ledger SET of_transaction_id = transaction_id WHERE kind = 'refund';

DROP INDEX payment_transaction;
CREATE UNIQUE INDEX ledger_report ON ledger (gateway, transaction_id, kind, status, amount_minor, reported_at);

-- What each subscription was paid for when its ledger began; everything before it is closed by this row.
INSERT INTO ledger (user_id, subscription_id, kind, amount_minor, currency, of_transaction_id, product_code, paid_at,
  reported_at, ends_at, cause)
SELECT s.user_id, s.id, 'plan',
  round(s.price_paid_minor * greatest(0, extract(epoch FROM s.ends_at - base.at)) / 86400 / p.duration_days),
  s.currency, base.transaction_id, s.product_code, base.at, base.at, s.ends_at, 'carried over'
FROM subscription s
JOIN product p ON p.code = s.product_code
LEFT JOIN agreement a ON a.subscription_id = s.id
LEFT JOIN LATERAL (
  SELECT l.paid_at, l.transaction_id FROM ledger l
  WHERE l.subscription_id = s.id AND l.kind = 'payment' AND l.status IN ('COMPLETED', 'REFUNDED', 'REVERSED')
  ORDER BY l.paid_at DESC, l.id DESC LIMIT 1
) last ON true
CROSS JOIN LATERAL (
  SELECT greatest(last.paid_at + interval '1 millisecond', s.starts_at,
    CASE WHEN a.clocks ->> 'endsAt' NOT LIKE '-%' THEN left(a.clocks ->> 'endsAt', 24)::timestamptz END) AS at,
    last.transaction_id
) base;

CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are only added', TG_TABLE_NAME;
END $$;
CREATE TRIGGER ledger_only_grows BEFORE UPDATE ON ledger FOR EACH ROW EXECUTE FUNCTION refuse_update();

-- Payments as they are now: of several reports the newest by the provider's clock.
CREATE VIEW payment AS
SELECT DISTINCT ON (user_id, subscription_id, gateway, transaction_id, kind, refund_minor)
  min(id) OVER (PARTITION BY user_id, subscription_id, gateway, transaction_id, kind, refund_minor) AS id,
  user_id, subscription_id, gateway, transaction_id, kind, status, amount_minor, currency, method, paid_at, reported_at,
  of_transaction_id
FROM (
  SELECT *, CASE kind WHEN 'refund' THEN amount_minor END AS refund_minor FROM ledger WHERE kind IN ('payment', 'refund')
) report
ORDER BY user_id, subscription_id, gateway, transaction_id, kind, refund_minor, reported_at DESC, status DESC;

-- What the gateway holds of the plan and its end.
ALTER TABLE agreement
  ADD COLUMN product_code text REFERENCES product (code),
  ADD COLUMN ends_at timestamptz,
  -- The gateway named a day, without a time.
  ADD COLUMN is_end_day boolean NOT NULL DEFAULT false;
