-- The allowance of a product is over the last allowance_days days. The visitors of /try share one of a day, which 24 hours of one
-- address (60 an hour) do not use up; it cannot be bought.
ALTER TABLE product ADD COLUMN allowance_days integer NOT NULL DEFAULT 30 CHECK (allowance_days BETWEEN 1 AND 30);
INSERT INTO product (code, title, level, frequency, duration_days, price_minor, max_calculation, allowance_days, is_notam, is_nnc, is_mel,
  is_cdl, is_most_fav, is_balked_landing, is_all_intersections, is_active)
VALUES ('EFB_VISITORS', 'Visitors', 3, 'unknown', 36500, 0, 3000, 1, true, true, true, true, true, true, true, false);
UPDATE subscription SET product_code = 'EFB_VISITORS' WHERE id = (
  SELECT s.id FROM subscription s JOIN app_user u ON u.id = s.user_id JOIN developer_key k ON k.id = u.developer_key_id
  WHERE k.name = 'try' AND u.firstname = 'Landing' AND u.lastname = 'Calculator' AND s.gateway IS NULL
    AND s.product_code = 'EFB_PRO_Y' ORDER BY s.id LIMIT 1);

DROP TRIGGER cache_product_insert ON product;
DROP TRIGGER cache_product_update ON product;
DROP TRIGGER cache_product_delete ON product;
DROP TRIGGER cache_product_truncate ON product;
SELECT watch_for_caches('product', 'product', 'code',
  'code, title, level, max_calculation, allowance_days, library_quota_mb, storage_quota_mb, max_checklists, is_notam, is_nnc, is_mel, '
  'is_cdl, is_most_fav, is_balked_landing, is_all_intersections, is_commercial, is_fleet_database, allowed_airports');

-- The city of an airport is in the list that can be chosen from.
DROP TRIGGER cache_airport_list_insert ON airport;
DROP TRIGGER cache_airport_list_update ON airport;
DROP TRIGGER cache_airport_list_delete ON airport;
DROP TRIGGER cache_airport_list_truncate ON airport;
SELECT watch_for_caches('airport', 'airport_list', '''*''', 'icao, iata, name, municipality, former_icaos, removed_at');
