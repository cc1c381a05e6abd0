/** All states stored by the service: triggers record the marks in each row that pads edit. */
import { sql } from '#store/postgres/sql.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { runSql } from '#test/support/sql.ts';
import type { Kind } from './kinds.ts';

export interface State {
  kind: Kind;
  row: string;
  /** Null: the row is gone. */
  marks: string[] | null;
}

export const watchHistory = async (postgres: Postgres): Promise<void> => {
  const run = runSql(postgres);
  await run`CREATE TABLE bench_history (id bigint GENERATED ALWAYS AS IDENTITY, kind text, "row" text, marks text[])`;
  await run`
    CREATE FUNCTION bench_note(kind text, row_id text, marks text[]) RETURNS void LANGUAGE sql AS
    'INSERT INTO bench_history (kind, "row", marks) VALUES ($1, $2, $3)'`;
  await run`
    CREATE FUNCTION bench_checklist() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
      PERFORM bench_note(''checklist'', coalesce(NEW.id, OLD.id)::text, CASE WHEN TG_OP <> ''DELETE'' THEN ARRAY(
        SELECT item ->> ''challenge'' FROM json_array_elements(NEW.document -> ''checklists'') page,
          json_array_elements(page -> ''items'') item) END);
      RETURN NULL; END'`;
  await run`CREATE TRIGGER bench AFTER INSERT OR UPDATE OR DELETE ON checklist FOR EACH ROW EXECUTE FUNCTION bench_checklist()`;
  await run`
    CREATE FUNCTION bench_section() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
      PERFORM bench_note(''flightData'', ofp_id || '' '' || data_key, CASE WHEN NEW.change_type <> ''delete'' THEN ARRAY(
        SELECT json_array_elements_text(NEW.payload::json)) END) FROM flight_data WHERE id = NEW.flight_data_id;
      RETURN NULL; END'`;
  await run`CREATE TRIGGER bench AFTER INSERT ON flight_data_change FOR EACH ROW EXECUTE FUNCTION bench_section()`;
  await run`
    CREATE FUNCTION bench_fleet() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
      PERFORM bench_note(''fleet'', coalesce(NEW.user_id, OLD.user_id) || '' '' || coalesce(NEW.registration, OLD.registration),
        CASE WHEN TG_OP <> ''DELETE'' THEN ARRAY[NEW.variant] END);
      RETURN NULL; END'`;
  await run`CREATE TRIGGER bench AFTER INSERT OR UPDATE OR DELETE ON fleet_profile FOR EACH ROW EXECUTE FUNCTION bench_fleet()`;
  await run`
    CREATE FUNCTION bench_entry() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
      PERFORM bench_note(TG_ARGV[0], NEW.id::text, CASE WHEN NEW.deleted_at IS NULL THEN ARRAY[NEW.name] END);
      RETURN NULL; END'`;
  await run`CREATE TRIGGER bench AFTER INSERT OR UPDATE ON library_folder FOR EACH ROW EXECUTE FUNCTION bench_entry('folder')`;
  await run`CREATE TRIGGER bench AFTER INSERT OR UPDATE ON library_file FOR EACH ROW EXECUTE FUNCTION bench_entry('file')`;
  await run`
    CREATE FUNCTION bench_user() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
      IF NEW.firstname <> OLD.firstname THEN PERFORM bench_note(''profile'', NEW.id::text, ARRAY[NEW.firstname]); END IF;
      IF NEW.preferences <> OLD.preferences THEN
        PERFORM bench_note(''preferences'', NEW.id::text, ARRAY[NEW.preferences #>> ''{planner,plannerImportOption}'']);
      END IF;
      RETURN NULL; END'`;
  await run`CREATE TRIGGER bench AFTER UPDATE ON app_user FOR EACH ROW EXECUTE FUNCTION bench_user()`;
  await run`
    CREATE FUNCTION bench_share() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
      PERFORM bench_note(''share'', NEW.id::text, CASE WHEN NEW.status <> ''revoked'' THEN ARRAY[split_part(NEW.email, ''@'', 1)] END);
      RETURN NULL; END'`;
  await run`CREATE TRIGGER bench AFTER INSERT OR UPDATE ON ofp_share FOR EACH ROW EXECUTE FUNCTION bench_share()`;
};

/** In the order in which each row was changed. */
export const historyOf = (postgres: Postgres): Promise<State[]> =>
  postgres.db.any<State>(sql`SELECT kind, "row", marks FROM bench_history ORDER BY id`);
