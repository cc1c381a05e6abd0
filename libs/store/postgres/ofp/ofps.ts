import type { FlightKey, StoredVersion } from '#domain/ofp/identity.ts';
import type { StoredOfp } from '#domain/ofp/summary.ts';
import { contains, sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';
import { accessiblePlan, accessiblePlans, ownPlans, sharedPlans } from './access.ts';
import type { OfpCall, OfpRight, Reader } from './access.ts';

export interface OfpRow extends StoredOfp {
  access: OfpRight;
}

interface ListedOfp extends OfpRow {
  /** Sections of flight data. */
  flightDataCount: number;
  /** Rises with every save and deletion of a section, since versions only rise. */
  flightDataRevision: number;
  /** Shares that can be used; only the owner sees them. */
  shareCount: number;
}

interface OfpRevision {
  revision: number;
  generatedAt: Date | null;
  importedAt: Date;
  /** JSON texts; null except for the revision that the filter names. `plan`: an `OfpPlanned` or the `NormalizedOfp`. */
  plan: string | null;
  original: string | null;
}

/** One of the revisions, by default the current one, and the requested documents. */
export interface OfpDocuments {
  revision: number | null;
  isWhole: boolean;
  hasOriginal: boolean;
}

interface KeptRevision extends Pick<OfpRevision, 'plan' | 'original'> {
  keptRevision: number;
  keptGeneratedAt: Date | null;
  keptImportedAt: Date;
}

interface OfpPage {
  include: 'own' | 'shared' | 'all';
  limit: number;
  /** The last entry of the previous page. */
  before: { importedAt: Date; id: string } | null;
  /** Filters, which all have to match. */
  words: readonly string[];
}

const columns = sql`id, user_id AS owner_user_id, access, name, source, planner_request_id, planner_sequence_id,
  planner_static_id, generated_at, facts, revision, imported_at, owner_profile`;

/** The member `notams` is searched for in the text: in a string of the plan its quotes would be escaped. */
const versionColumns = sql`id AS ofp_id, planner_request_id AS request_id, planner_static_id AS static_id,
  generated_at, content_hash,
  EXISTS (SELECT 1 FROM ofp_revision r WHERE r.ofp_id = ofp.id AND r.revision = ofp.revision
    AND position('"notams":[{' IN r.normalized) > 0) AS has_notams`;

/** Text of `ofp o` in lower case for searches: what pilots know a plan by. */
const searched = sql`lower(concat_ws(' ', name, facts->>'callsign', facts->>'flightNumber', facts->>'registration',
  facts->>'aircraftIcao', facts->'origin'->>'icao', facts->'origin'->>'iata', facts->'origin'->>'name',
  facts->'destination'->>'icao', facts->'destination'->>'iata', facts->'destination'->>'name'))`;

const hasWords = (words: readonly string[]): Sql =>
  words.reduce((all, word) => sql`${all} AND ${contains(searched, word)}`, sql`true`);

export const ofpRepo = (db: ReadDb) => ({
  /** Null for a plan that does not exist or that the user may not read: callers cannot distinguish them. */
  accessible: (call: OfpCall): Promise<OfpRow | null> =>
    db.maybe<OfpRow>(sql`SELECT ${columns} FROM ${accessiblePlan(call)} AS o`),

  /** Those imported last first. */
  page: (reader: Reader, { include, limit, before, words }: OfpPage): Promise<ListedOfp[]> => {
    const plans = { own: ownPlans, shared: sharedPlans, all: accessiblePlans }[include](reader);
    const after = before
      ? sql`(imported_at, id) < (${before.importedAt}::timestamptz, ${before.id}::text)`
      : sql`true`;
    return db.any<ListedOfp>(sql`
      SELECT ${columns},
        d.sections AS flight_data_count, d.data_revision AS flight_data_revision,
        (SELECT count(*) FROM ofp_share s WHERE access = 'owner' AND s.owner_id = o.user_id AND s.ofp_id = o.id
          AND s.status <> 'revoked' AND (s.expires_at IS NULL OR s.expires_at > ${reader.now})) AS share_count
      FROM ${plans} AS o CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE NOT f.is_deleted) AS sections,
          coalesce(sum(2 * f.version + f.is_deleted::int), 0)::bigint AS data_revision
        FROM flight_data f WHERE f.ofp_id = o.id) d
      WHERE ${after} AND ${hasWords(words)}
      ORDER BY imported_at DESC, id DESC LIMIT ${limit}`);
  },

  /** The same with the retained revisions, the current one first, and documents of one of them. */
  withRevisions: async (
    call: OfpCall,
    { revision, isWhole, hasOriginal }: OfpDocuments,
  ): Promise<{ row: OfpRow; revisions: OfpRevision[] } | null> => {
    const isWanted = sql`r.revision = coalesce(${revision}::int, o.revision)`;
    const rows = await db.any<OfpRow & KeptRevision>(sql`
      SELECT o.*, r.revision AS kept_revision, r.generated_at AS kept_generated_at,
        r.imported_at AS kept_imported_at,
        CASE WHEN ${isWanted} THEN ${isWhole ? sql`r.normalized` : sql`coalesce(r.planned, r.normalized)`} END AS plan,
        ${hasOriginal ? sql`CASE WHEN ${isWanted} THEN r.original END` : sql`NULL`} AS original
      FROM (SELECT ${columns} FROM ${accessiblePlan(call)} AS o) o
      JOIN ofp_revision r ON r.ofp_id = o.id ORDER BY r.revision DESC`);
    const [first] = rows;
    if (!first) return null;
    const revisions = rows.map(({ keptRevision, keptGeneratedAt, keptImportedAt, plan, original }) => ({
      revision: keptRevision,
      generatedAt: keptGeneratedAt,
      importedAt: keptImportedAt,
      plan,
      original,
    }));
    return { row: first, revisions };
  },

  /** The owner's plans that a document could be a new version of. */
  related: (
    userId: number,
    version: Pick<StoredVersion, 'requestId' | 'staticId' | 'contentHash'>,
  ): Promise<StoredVersion[]> =>
    db.any<StoredVersion>(sql`
      SELECT ${versionColumns}
      FROM ofp WHERE user_id = ${userId} AND (planner_request_id = ${version.requestId}
        OR planner_static_id = ${version.staticId} OR content_hash = ${version.contentHash})
      ORDER BY generated_at DESC NULLS LAST, imported_at DESC, id`),

  /** The owner's most recently generated plan of this flight; null for none. */
  ofFlight: (
    userId: number,
    { flightNumber, date, origin, destination }: FlightKey,
  ): Promise<StoredVersion | null> =>
    db.maybe<StoredVersion>(sql`
      SELECT ${versionColumns}
      FROM ofp WHERE user_id = ${userId}
        AND coalesce(facts->>'flightNumber', facts->>'callsign') = ${flightNumber}
        AND left(coalesce(facts->>'estimatedOut', facts->>'estimatedOff'), 10) = ${date}
        AND facts->'origin'->>'icao' = ${origin} AND facts->'destination'->>'icao' = ${destination}
      ORDER BY generated_at DESC NULLS LAST, imported_at DESC, id LIMIT 1`),

  /** Rows of fleets with which plans of this registration were imported, the last first; they may be deleted. */
  fleetIds: (userId: number, registration: string | null): Promise<number[]> =>
    db.values<number>(sql`
      SELECT (owner_profile->>'fleetId')::int AS id FROM ofp WHERE user_id = ${userId}
        AND facts->>'registration' = ${registration} AND owner_profile->>'fleetId' IS NOT NULL
      GROUP BY 1 ORDER BY max(imported_at) DESC`),

  version: (id: string, userId: number): Promise<StoredVersion | null> =>
    db.maybe<StoredVersion>(sql`
      SELECT ${versionColumns}
      FROM ofp WHERE id = ${id} AND user_id = ${userId}`),

  count: (userId: number): Promise<number> =>
    db.value<number>(sql`SELECT count(*)::int AS count FROM ofp WHERE user_id = ${userId}`),
});
