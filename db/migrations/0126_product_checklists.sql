-- How many checklists a user of the product keeps; those of an airline have a limit of their own.
ALTER TABLE product ADD COLUMN max_checklists integer NOT NULL DEFAULT 100 CHECK (max_checklists >= 0);
UPDATE product SET max_checklists = CASE WHEN is_commercial THEN 1000 WHEN level >= 3 THEN 500
  WHEN level = 2 THEN 300 WHEN level = 1 THEN 200 ELSE 100 END;

DROP TRIGGER cache_product_insert ON product;
DROP TRIGGER cache_product_update ON product;
DROP TRIGGER cache_product_delete ON product;
DROP TRIGGER cache_product_truncate ON product;
SELECT watch_for_caches('product', 'product', 'code',
  'code, title, level, max_calculation, library_quota_mb, storage_quota_mb, max_checklists, is_notam, is_nnc, is_mel, is_cdl, is_most_fav, '
  'is_balked_landing, is_all_intersections, is_commercial, is_fleet_database, allowed_airports');
