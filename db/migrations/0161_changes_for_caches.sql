-- What caches hold and a commit has changed, as rows that it writes itself: a notification inside the transaction makes all commits
-- take turns. Processes read on by snapshot, as clients do in row_change; rows that all have read are dropped with their part.
CREATE TABLE cache_change (
  -- By minutes, in turn.
  part smallint NOT NULL DEFAULT date_part('epoch', clock_timestamp())::bigint / 60 % 4,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  kind text NOT NULL,
  -- `*` among them: everything of the kind.
  ids text[] NOT NULL
) PARTITION BY LIST (part);
-- After a crash of the server they are empty; no process trusts its caches across a lost connection.
CREATE UNLOGGED TABLE cache_change_0 PARTITION OF cache_change FOR VALUES IN (0);
CREATE UNLOGGED TABLE cache_change_1 PARTITION OF cache_change FOR VALUES IN (1);
CREATE UNLOGGED TABLE cache_change_2 PARTITION OF cache_change FOR VALUES IN (2);
CREATE UNLOGGED TABLE cache_change_3 PARTITION OF cache_change FOR VALUES IN (3);
CREATE INDEX cache_change_xid ON cache_change (xid);

-- Empties the part that comes next, if all of it was committed when `seen` was taken. False: there was nothing to do, or it is in use.
CREATE FUNCTION drop_read_changes(seen pg_snapshot) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  next CONSTANT text := format('cache_change_%s', (date_part('epoch', clock_timestamp())::bigint / 60 + 1) % 4);
  unread boolean;
  any_row boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %I)', next) INTO any_row;
  IF NOT any_row THEN
    RETURN false;
  END IF;
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE NOWAIT', next);
  EXECUTE format('SELECT EXISTS (SELECT FROM %1$I WHERE xid >= pg_snapshot_xmax($1)) '
    'OR EXISTS (SELECT FROM %1$I WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1))))', next) INTO unread USING seen;
  IF unread THEN
    RETURN false;
  END IF;
  EXECUTE format('TRUNCATE %I', next);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END $$;

-- Writes a change, and says so once in a transaction to the client, which wakes the other processes after the commit.
CREATE FUNCTION tell_caches(told_kind text, told_ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cache_change (kind, ids) VALUES (told_kind, told_ids);
  IF current_setting('app.told_in', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
    PERFORM set_config('app.told_in', pg_current_xact_id()::text, true);
    RAISE INFO 'caches follow' USING ERRCODE = '0EFB0';
  END IF;
END $$;

CREATE FUNCTION tell_caches_of_all() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_caches(TG_ARGV[0], '{*}');
  RETURN NULL;
END $$;

-- Arguments: kind, expression of the id, columns that caches of this kind hold. An UPDATE counts only rows in which
-- one of these columns differs; of both versions of such a row the id is told.
CREATE FUNCTION tell_caches_of_statement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  told text[];
BEGIN
  EXECUTE format('SELECT array_agg(DISTINCT id) FROM (SELECT (%s)::text AS id FROM (%s) changed) found WHERE id IS NOT NULL',
    TG_ARGV[1], CASE TG_OP
      WHEN 'INSERT' THEN 'SELECT * FROM new_rows'
      WHEN 'DELETE' THEN 'SELECT * FROM old_rows'
      ELSE format('(SELECT %1$s FROM old_rows EXCEPT ALL SELECT %1$s FROM new_rows) UNION ALL '
        '(SELECT %1$s FROM new_rows EXCEPT ALL SELECT %1$s FROM old_rows)', TG_ARGV[2])
    END) INTO told;
  -- Of a bulk load everything is forgotten.
  IF told IS NOT NULL THEN
    PERFORM tell_caches(TG_ARGV[0], CASE WHEN cardinality(told) > 10000 THEN '{*}' ELSE told END);
  END IF;
  RETURN NULL;
END $$;

-- Lets caches follow a table whose statements change many rows: they are compared as wholes, once a statement.
CREATE FUNCTION follow_statements(watched regclass, kind text, id text, columns text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event text;
BEGIN
  FOREACH event IN ARRAY ARRAY['INSERT', 'UPDATE', 'DELETE'] LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER %s ON %s %s FOR EACH STATEMENT EXECUTE FUNCTION '
      'tell_caches_of_statement(%L, %L, %L)', format('caches_%s_%s', kind, lower(event)), event, watched,
      CASE event
        WHEN 'INSERT' THEN 'REFERENCING NEW TABLE AS new_rows'
        WHEN 'UPDATE' THEN 'REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows'
        ELSE 'REFERENCING OLD TABLE AS old_rows'
      END, kind, id, columns);
  END LOOP;
  EXECUTE format('CREATE TRIGGER %I AFTER TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION tell_caches_of_all(%L)',
    format('caches_%s_truncate', kind), watched, kind);
END $$;

-- Lets caches follow a table whose statements change few rows: what changes nothing that a cache holds costs a comparison. `id` and
-- `held` (whether a cache holds anything of the row) are expressions of the row `r`; without columns the events are only INSERT and DELETE.
CREATE FUNCTION follow_rows(watched regclass, kind text, id text, columns text[], held text DEFAULT 'true') RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  teller CONSTANT text := format('tell_caches_%s_of_%s', kind, watched);
  old_id CONSTANT text := regexp_replace(id, '\mr\.', 'OLD.', 'g');
  new_id CONSTANT text := regexp_replace(id, '\mr\.', 'NEW.', 'g');
  old_held CONSTANT text := regexp_replace(held, '\mr\.', 'OLD.', 'g');
  new_held CONSTANT text := regexp_replace(held, '\mr\.', 'NEW.', 'g');
  old_columns text;
  new_columns text;
BEGIN
  EXECUTE format($teller$
    CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $body$
    DECLARE
      told text[];
    BEGIN
      CASE TG_OP
        WHEN 'INSERT' THEN told := ARRAY[(%4$s)::text];
        WHEN 'DELETE' THEN told := ARRAY[(%3$s)::text];
        ELSE told := CASE WHEN (%3$s) = (%4$s) THEN ARRAY[(%4$s)::text] ELSE ARRAY[(%3$s)::text, (%4$s)::text] END;
      END CASE;
      PERFORM tell_caches(%2$L, told);
      RETURN NULL;
    END $body$ $teller$, teller, kind, old_id, new_id);
  EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %I()',
    format('caches_%s_insert', kind), watched, new_held, teller);
  EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %I()',
    format('caches_%s_delete', kind), watched, old_held, teller);
  SELECT string_agg(format('OLD.%I', name), ', '), string_agg(format('NEW.%I', name), ', ')
  FROM unnest(columns) AS name INTO old_columns, new_columns;
  EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %s FOR EACH ROW '
    'WHEN ((%s OR %s) AND (%s) IS DISTINCT FROM (%s)) EXECUTE FUNCTION %I()',
    format('caches_%s_update', kind), watched, old_held, new_held, 'ROW(' || old_columns || ')', 'ROW(' || new_columns || ')', teller);
  EXECUTE format('CREATE TRIGGER %I AFTER TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION tell_caches_of_all(%L)',
    format('caches_%s_truncate', kind), watched, kind);
END $$;

SELECT follow_rows('app_user', 'user', 'r.id', '{id,email,api_key_sealed,token_generation,disabled_at,active_va_id}');
SELECT follow_rows('app_user', 'user_profile', 'r.id',
  '{id,firstname,lastname,crewcode,rank,chat_id,streaming_active,streaming_alias,preferences,settings_locked,'
  'profile_picture,alias_picture,previous_login_at,last_login_at,created_at,email_verified_at}');
SELECT follow_rows('subscription', 'user', 'r.user_id', '{id,user_id,product_code,gateway_status,starts_at,ends_at}');
SELECT follow_rows('va_member', 'user', 'r.user_id', '{user_id,va_id}');
SELECT follow_rows('va_admin', 'user', 'r.user_id', '{user_id,scope,va_id,is_active}');
SELECT follow_rows('user_session', 'session', 'r.id', '{id,user_id}');
SELECT follow_rows('product', 'product', 'r.code',
  '{code,title,level,max_calculation,allowance_days,library_quota_mb,storage_quota_mb,max_checklists,is_notam,is_nnc,is_mel,'
  'is_cdl,is_most_fav,is_balked_landing,is_all_intersections,is_commercial,is_fleet_database,allowed_airports}');
SELECT follow_rows('developer_key', 'developer_key', 'r.id',
  '{id,name,user_info,weather,efb,library,subscription,return_url_hosts,revoked_at}');
SELECT follow_rows('developer_key', 'developer_key_hash', 'encode(r.key_hash, ''hex'')',
  '{id,name,key_hash,user_info,weather,efb,library,subscription,return_url_hosts,revoked_at}');
SELECT follow_rows('virtual_airline', 'virtual_airline', 'r.id',
  '{id,name,website,contact_email,logo,logo_dark,logo_white,is_partner,legacy_name,library_quota_mb}');
SELECT follow_rows('fleet_profile', 'fleet', 'CASE WHEN r.user_id IS NULL THEN ''v'' || r.va_id ELSE ''u'' || r.user_id END',
  '{id,user_id,va_id,registration,base_id,standard_id,storage_key,flight_sim,addon,variant,engines,engine_time_limit_s,'
  'share_community,recommended}');
-- Nothing else holds a checklist that is not shared.
SELECT follow_rows('checklist', 'community', '''*''', '{user_id,shared_at}', 'r.shared_at IS NOT NULL');
CREATE TRIGGER caches_community_update AFTER UPDATE ON app_user FOR EACH ROW
  WHEN (OLD.disabled_at IS DISTINCT FROM NEW.disabled_at) EXECUTE FUNCTION tell_caches_of_all('community');
SELECT follow_rows('feed_state', 'feed_state', 'r.feed', '{feed,last_success_at,seed_date}');
SELECT follow_rows('wind_active', 'wind_cycle', '''*''', '{wind_cycle_id}');

SELECT follow_statements('airport', 'airport', 'icao',
  'icao, iata, name, type, latitude, longitude, elevation_ft, country, region, municipality, has_scheduled_service, '
  'source, time_zone, magnetic_variation_deg, updated_at, osm_state, removed_at');
SELECT follow_statements('runway_end', 'airport', 'icao', '*');
SELECT follow_statements('runway_operator', 'airport', 'icao',
  'icao, ident, tora_m, toda_m, asda_m, lda_m, is_closed, efp_kind, efp_text, efp_acceleration_altitude_ft, efp_turn, '
  'macg_percent');
SELECT follow_statements('runway_alias', 'airport', 'icao', 'icao, old_ident, new_ident');
SELECT follow_statements('runway_exit', 'airport', 'icao', 'icao, ident, name, source, side, distance_m, angle_deg, is_hidden');
SELECT follow_statements('runway_intersection', 'airport', 'icao', 'icao, ident, name, source, entry_m');
SELECT follow_statements('airport', 'airport_list', '''*''', 'icao, iata, name, municipality, former_icaos, removed_at');
SELECT follow_statements('runway_end', 'airport_list', '''*''', 'icao, ident, length_m, is_closed');
SELECT follow_statements('runway_operator', 'airport_list', '''*''', 'icao, ident, is_closed');
SELECT follow_statements('obstacle', 'airport_status', '''*''', 'id');
SELECT follow_statements('airport_change', 'airport_status', '''*''', 'id');
SELECT follow_statements('map_file', 'airport_status', '''*''', 'id, name');
SELECT follow_statements('notam', 'notam', 'unnest(airports)', '*');
SELECT follow_statements('metar', 'metar', 'icao', 'icao, observed_at, raw, source');
SELECT follow_statements('taf', 'taf', 'icao', 'icao, issued_at, valid_from, valid_to, raw, source');
SELECT follow_statements('datis', 'datis', 'icao', 'network, icao, items, received_at');
SELECT follow_statements('sigmet', 'sigmet', '''*''', 'id');
