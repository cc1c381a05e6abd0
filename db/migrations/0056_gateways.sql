-- Amounts are minor units of their currency (cents) everywhere; what is sold, and at which discount, is data.
ALTER TABLE product ADD COLUMN price_minor bigint;
UPDATE product SET price_minor = round(price * 100);
ALTER TABLE product ALTER COLUMN price_minor SET NOT NULL, ADD CHECK (price_minor >= 0), DROP COLUMN price;
-- Days that a change from the wallet to the card gateway adds, by target.
ALTER TABLE product ADD COLUMN migration_bonus_days integer NOT NULL DEFAULT 0 CHECK (migration_bonus_days >= 0);
UPDATE product SET migration_bonus_days = level * CASE frequency WHEN 'yearly' THEN 10 ELSE 3 END
WHERE rank IS NOT NULL;

CREATE TABLE promo_code (
  code text PRIMARY KEY CHECK (code = upper(code)),
  percent integer NOT NULL CHECK (percent BETWEEN 1 AND 100),
  -- NULL: for every product.
  product_code text REFERENCES product (code),
  -- False: the first payment only. A number of cycles limits a recurring one; NULL is unlimited.
  is_recurring boolean NOT NULL DEFAULT false,
  max_cycles integer CHECK (max_cycles > 0),
  expires_at timestamptz,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL
);

ALTER TABLE subscription ADD COLUMN price_paid_minor bigint NOT NULL DEFAULT 0;
UPDATE subscription SET price_paid_minor = round(price_paid * 100);
ALTER TABLE subscription
  DROP COLUMN price_paid,
  ADD COLUMN currency text,
  ADD COLUMN next_billing_at timestamptz,
  ADD COLUMN next_billing_minor bigint,
  ADD COLUMN last_payment_at timestamptz,
  ADD COLUMN cycles_completed integer NOT NULL DEFAULT 0,
  ADD COLUMN subscriber_email text,
  ADD COLUMN subscriber_name text,
  ADD COLUMN card_last4 text,
  ADD COLUMN promo_code text,
  ADD COLUMN discount_percent integer,
  ADD COLUMN discount_recurring boolean,
  ADD COLUMN discount_max_cycles integer,
  ADD COLUMN cancel_reason text,
  -- By field, the provider's own time of the event (or the time of the local change) that set it: the newest wins,
  -- in whichever order they arrive.
  ADD COLUMN clocks jsonb NOT NULL DEFAULT '{}',
  -- When it was last compared with the gateway.
  ADD COLUMN reconciled_at timestamptz;

-- Links purchases in the app store with the account.
ALTER TABLE app_user ADD COLUMN store_account_token uuid NOT NULL DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX app_user_store_account_token ON app_user (store_account_token);
