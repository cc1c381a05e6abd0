-- Products, subscriptions, allowances: all of it data, so that an operator can change it.
CREATE TABLE gateway (
  code text PRIMARY KEY,
  kind text NOT NULL UNIQUE CHECK (kind IN ('card', 'wallet', 'store'))
);
INSERT INTO gateway (code, kind) VALUES ('2checkout', 'card'), ('paypal', 'wallet'), ('apple', 'store');

CREATE TABLE online_network (
  position integer PRIMARY KEY,
  name text NOT NULL UNIQUE
);
INSERT INTO online_network (position, name) VALUES (1, 'IVAO'), (2, 'VATSIM');

CREATE TABLE product (
  code text PRIMARY KEY,
  title text NOT NULL,
  group_package text,
  rank integer,
  level integer NOT NULL CHECK (level >= 0),
  frequency text NOT NULL CHECK (frequency IN ('monthly', 'yearly', 'unknown')),
  duration_days integer NOT NULL CHECK (duration_days > 0),
  price numeric(10, 2) NOT NULL,
  currency text NOT NULL DEFAULT 'EUR',
  max_calculation integer NOT NULL,
  library_quota_mb integer NOT NULL DEFAULT 0,
  is_notam boolean NOT NULL DEFAULT false,
  is_nnc boolean NOT NULL DEFAULT false,
  is_mel boolean NOT NULL DEFAULT false,
  is_cdl boolean NOT NULL DEFAULT false,
  is_most_fav boolean NOT NULL DEFAULT false,
  is_balked_landing boolean NOT NULL DEFAULT false,
  is_all_intersections boolean NOT NULL DEFAULT false,
  is_commercial boolean NOT NULL DEFAULT false,
  is_fleet_database boolean NOT NULL DEFAULT false,
  -- Empty: every airport. Only the preview product narrows it.
  allowed_airports text[] NOT NULL DEFAULT '{}',
  image text,
  is_active boolean NOT NULL DEFAULT true
);

INSERT INTO product (code, title, group_package, rank, level, frequency, duration_days, price, max_calculation, library_quota_mb,
  is_notam, is_nnc, is_mel, is_cdl, is_most_fav, is_balked_landing, is_all_intersections, is_fleet_database, is_commercial, allowed_airports)
VALUES
  ('EFB_PREVIEW', 'Preview', NULL, NULL, 0, 'unknown', 36500, 0, 10, 0,
    false, false, false, false, false, false, false, false, false, '{KJFK,KLAX,KBOS,KSEA,KMIA,EGLL,EDDF,LFPG}'),
  ('EFB_LITE_M', 'Lite, monthly', 'LITE', 1, 1, 'monthly', 30, 2.99, 50, 100,
    false, false, false, false, true, false, false, true, false, '{}'),
  ('EFB_LITE_Y', 'Lite, yearly', 'LITE', 2, 1, 'yearly', 365, 29.90, 50, 100,
    false, false, false, false, true, false, false, true, false, '{}'),
  ('EFB_STANDARD_M', 'Standard, monthly', 'STANDARD', 3, 2, 'monthly', 30, 5.99, 250, 500,
    true, true, false, false, true, false, true, true, false, '{}'),
  ('EFB_STANDARD_Y', 'Standard, yearly', 'STANDARD', 4, 2, 'yearly', 365, 59.90, 250, 500,
    true, true, false, false, true, false, true, true, false, '{}'),
  ('EFB_PRO_M', 'Pro, monthly', 'PRO', 5, 3, 'monthly', 30, 9.99, 2000, 2000,
    true, true, true, true, true, true, true, true, false, '{}'),
  ('EFB_PRO_Y', 'Pro, yearly', 'PRO', 6, 3, 'yearly', 365, 99.90, 2000, 2000,
    true, true, true, true, true, true, true, true, false, '{}'),
  ('EFB_COMMERCIAL_Y', 'Commercial, yearly', 'COMMERCIAL', NULL, 3, 'yearly', 365, 999.00, 1000000, 10000,
    true, true, true, true, true, true, true, true, true, '{}');

CREATE TABLE subscription (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  product_code text NOT NULL REFERENCES product (code),
  -- NULL: granted by the operator (payment method "commercial" or "unknown").
  gateway text REFERENCES gateway (code),
  reference text,
  gateway_status text NOT NULL DEFAULT 'Running' CHECK (gateway_status IN ('Running', 'paused', 'Cancelled', 'Expired')),
  auto_renew boolean NOT NULL DEFAULT false,
  pause_until date,
  pause_reason text,
  price_paid numeric(10, 2) NOT NULL DEFAULT 0,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX subscription_user ON subscription (user_id, ends_at);
CREATE UNIQUE INDEX subscription_reference ON subscription (gateway, reference) WHERE reference IS NOT NULL;

-- Extra calculations given by the operator, counted inside the 30-day window.
CREATE TABLE calculation_gift (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  amount integer NOT NULL CHECK (amount > 0),
  given_at timestamptz NOT NULL
);
CREATE INDEX calculation_gift_user ON calculation_gift (user_id, given_at);
