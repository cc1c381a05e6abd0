-- Caches of the processes are dropped by what changed: `kind id id ...` or `kind *` on the channel cache_changed,
-- sent with the commit. Replaces `identity_changed`, which named nothing and emptied everything.
DROP TRIGGER identity_changed ON app_user;
DROP TRIGGER identity_changed ON subscription;
DROP TRIGGER identity_changed ON product;
DROP TRIGGER identity_changed ON developer_key;
DROP TRIGGER identity_changed ON va_member;
DROP TRIGGER identity_changed ON va_admin;
DROP TRIGGER identity_changed ON virtual_airline;
DROP FUNCTION notify_identity_changed();

-- Arguments: kind, expression of the id, columns that caches of this kind hold. An UPDATE counts only rows in which
-- one of these columns differs; of both versions of such a row the id is named.
CREATE FUNCTION notify_cache_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind CONSTANT text := TG_ARGV[0];
  changed text;
  ids text[];
  payload text;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    PERFORM pg_notify('cache_changed', kind || ' *');
    RETURN NULL;
  END IF;
  changed := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT * FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT * FROM old_rows'
    ELSE format('(SELECT %1$s FROM old_rows EXCEPT ALL SELECT %1$s FROM new_rows) UNION ALL '
      '(SELECT %1$s FROM new_rows EXCEPT ALL SELECT %1$s FROM old_rows)', TG_ARGV[2])
  END;
  EXECUTE format('SELECT array_agg(DISTINCT id) FROM (SELECT (%s)::text AS id FROM (%s) changed) found '
    'WHERE id IS NOT NULL', TG_ARGV[1], changed) INTO ids;
  IF ids IS NULL THEN
    RETURN NULL;
  END IF;
  -- Of a bulk load everything is forgotten. An id that is no single short word cannot be named.
  IF cardinality(ids) > 10000 OR EXISTS (SELECT FROM unnest(ids) id WHERE length(id) > 70 OR id !~ '^\S+$') THEN
    PERFORM pg_notify('cache_changed', kind || ' *');
    RETURN NULL;
  END IF;
  -- A payload has room for 8,000 bytes.
  FOR payload IN
    SELECT string_agg(id, ' ') FROM unnest(ids) WITH ORDINALITY AS list (id, position) GROUP BY (position - 1) / 100
  LOOP
    PERFORM pg_notify('cache_changed', kind || ' ' || payload);
  END LOOP;
  RETURN NULL;
END $$;

-- Lets changes of a table be heard as changes of this kind. Rows of a change are compared as wholes, once a statement.
CREATE FUNCTION watch_for_caches(watched regclass, kind text, id text, columns text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  event text;
BEGIN
  FOREACH event IN ARRAY ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER %s ON %s %s FOR EACH STATEMENT EXECUTE FUNCTION '
      'notify_cache_changed(%L, %L, %L)', format('cache_%s_%s', kind, lower(event)), event, watched,
      CASE event
        WHEN 'INSERT' THEN 'REFERENCING NEW TABLE AS new_rows'
        WHEN 'UPDATE' THEN 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows'
        WHEN 'DELETE' THEN 'REFERENCING OLD TABLE AS old_rows'
        ELSE ''
      END, kind, id, columns);
  END LOOP;
END $$;

SELECT watch_for_caches('app_user', 'user', 'id',
  'id, email, api_key, token_generation, disabled_at, active_va_id');
SELECT watch_for_caches('subscription', 'user', 'user_id',
  'id, user_id, product_code, gateway_status, starts_at, ends_at');
SELECT watch_for_caches('va_member', 'user', 'user_id', 'user_id, va_id');
SELECT watch_for_caches('va_admin', 'user', 'user_id', 'user_id, scope, va_id, is_active');
SELECT watch_for_caches('product', 'product', 'code',
  'code, title, level, max_calculation, library_quota_mb, is_notam, is_nnc, is_mel, is_cdl, is_most_fav, '
  'is_balked_landing, is_all_intersections, is_commercial, is_fleet_database, allowed_airports');
SELECT watch_for_caches('developer_key', 'developer_key', 'id',
  'id, name, user_info, weather, efb, library, subscription, return_url_hosts, revoked_at');
SELECT watch_for_caches('developer_key', 'developer_key_hash', 'encode(key_hash, ''hex'')',
  'id, name, key_hash, user_info, weather, efb, library, subscription, return_url_hosts, revoked_at');
SELECT watch_for_caches('virtual_airline', 'virtual_airline', 'id',
  'id, name, website, contact_email, logo, logo_dark, logo_white, is_partner, legacy_name, library_quota_mb');

SELECT watch_for_caches('airport', 'airport', 'icao',
  'icao, iata, name, type, latitude, longitude, elevation_ft, country, region, municipality, has_scheduled_service, '
  'source, time_zone, magnetic_variation_deg, updated_at, osm_state, removed_at');
SELECT watch_for_caches('runway_end', 'airport', 'icao', '*');
SELECT watch_for_caches('runway_operator', 'airport', 'icao',
  'icao, ident, tora_m, toda_m, asda_m, lda_m, is_closed, efp_kind, efp_text, efp_acceleration_altitude_ft, efp_turn, '
  'macg_percent');
SELECT watch_for_caches('runway_alias', 'airport', 'icao', 'icao, old_ident, new_ident');
SELECT watch_for_caches('runway_exit', 'airport', 'icao',
  'icao, ident, name, source, side, distance_m, angle_deg, is_hidden');
SELECT watch_for_caches('runway_intersection', 'airport', 'icao', 'icao, ident, name, source, entry_m');

-- The list of airports that can be chosen is kept as a whole.
SELECT watch_for_caches('airport', 'airport_list', '''*''', 'icao, iata, name, removed_at');
SELECT watch_for_caches('runway_end', 'airport_list', '''*''', 'icao, ident, length_m, is_closed');
SELECT watch_for_caches('runway_operator', 'airport_list', '''*''', 'icao, ident, is_closed');

SELECT watch_for_caches('notam', 'notam', 'unnest(airports)', '*');
SELECT watch_for_caches('metar', 'metar', 'icao', 'icao, observed_at, raw, source');
SELECT watch_for_caches('taf', 'taf', 'icao', 'icao, issued_at, valid_from, valid_to, raw, source');
SELECT watch_for_caches('datis', 'datis', 'icao', 'network, icao, items, received_at');
