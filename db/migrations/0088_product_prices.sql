-- Prices in further currencies, in minor units by ISO 4217 code: {"USD": 1099}. What is paid in one of them is enough.
ALTER TABLE product ADD COLUMN other_prices jsonb NOT NULL DEFAULT '{}';
