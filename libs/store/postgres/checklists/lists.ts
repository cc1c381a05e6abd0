/** The lists of checklists that a user sees, and their search. */
import type { ChecklistReader } from '#domain/checklists/rules.ts';
import type { ChecklistSearch } from '#domain/checklists/search.ts';
import { airlinesOfReader } from '#domain/virtual-airlines/admin-gate.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';
import { columns, isOffered, joined } from './rows.ts';
import type { ChecklistEntry, Score } from './rows.ts';

/** The rows of a query, in its order. */
const inJson = (query: Sql): Sql => sql`(SELECT coalesce(json_agg(list), '[]') FROM (${query}) list)`;
/** JSON has times as text. */
type InJson<Row> = Row extends { updatedAt: Date } ? Omit<Row, 'updatedAt'> & { updatedAt: string } : Row;
const withDates = <Row extends { updatedAt: string }>(row: Row) => ({
  ...row,
  updatedAt: new Date(row.updatedAt),
});

/** With the names of the owner, null for an airline. */
interface CommunityEntry extends ChecklistEntry {
  firstname: string | null;
  lastname: string | null;
  alias: string | null;
  myRating: number | null;
}

export interface BuiltInScore extends Score {
  file: string;
}

interface ChecklistLists {
  /** Checklists of the user, by name. */
  own: ChecklistEntry[];
  /** Checklists of the airlines, by name. */
  airlines: ChecklistEntry[];
  /** Best rating first. */
  community: CommunityEntry[];
  builtInScores: BuiltInScore[];
}

interface ListPage {
  /** Null: as many as an answer without pages contains. */
  limit: number | null;
  offset: number;
  scope: 'all' | 'own';
  search: ChecklistSearch;
}

/** Pages of the community list end after this many checklists, best-rated first. */
const maxCommunity = 500;
/** Without a limit: all of the user's own, because a client without paging must not lose what its user made. */
const preset = { airlines: 500, community: 100 };

/** Row by row: OFFSET keeps the planner from reading all accounts. */
export const withOwner = sql`LEFT JOIN LATERAL (SELECT * FROM app_user WHERE id = c.user_id OFFSET 0) u ON true`;

const scored = sql`CASE WHEN rating_count = 0 THEN 0 ELSE round(rating_sum::numeric / rating_count, 2) END`;
export const builtInScores = sql`
  SELECT file, ${scored} AS "ratingAverage", rating_count AS "ratingCount" FROM built_in_checklist_score`;

const bestFirst = sql`c.rating_average DESC, c.rating_count DESC, c.id`;

/** Same expression as in the index of shared checklists. */
const found = ({ aircraftType, words }: ChecklistSearch): Sql => {
  const ofType = aircraftType === null ? sql`true` : sql`c.aircraft_types @> ${[aircraftType]}::text[]`;
  return words === null
    ? ofType
    : sql`${ofType} AND checklist_words(c.name, c.description, c.aircraft_types) @@ search_query(${words})`;
};

export const checklistListRepo = (db: ReadDb) => ({
  /** What a user sees, in one statement; with a limit, that page of each list. */
  lists: async (
    reader: ChecklistReader,
    { limit, offset, scope, search }: ListPage,
  ): Promise<ChecklistLists> => {
    const { userId } = reader;
    const { ids, isEvery } = airlinesOfReader(reader);
    const isFound = found(search);
    const byName = (isWanted: Sql, size: number | null) => sql`
    SELECT ${columns} FROM checklist c ${joined} WHERE (${isWanted}) AND ${isFound}
    ORDER BY lower(c.name), c.id LIMIT ${size}::int OFFSET ${offset}`;
    const own = byName(sql`c.user_id = ${userId}`, limit);
    const airlines = byName(
      sql`c.va_id = ANY(${ids}::int[]) OR (c.va_id IS NOT NULL AND ${isEvery})`,
      limit ?? preset.airlines,
    );
    const start = Math.min(offset, maxCommunity);
    const size = scope === 'own' ? 0 : Math.min(limit ?? preset.community, maxCommunity - start);
    const best = sql`
    SELECT ${columns}, r.rating AS "myRating", u.firstname, u.lastname, u.streaming_alias AS alias
    FROM (
      SELECT * FROM checklist c WHERE ${isOffered} AND ${isFound}
      ORDER BY ${bestFirst} LIMIT ${size} OFFSET ${start}) c ${joined} ${withOwner}
      LEFT JOIN checklist_rating r ON r.checklist_id = c.id AND r.user_id = ${userId}
    ORDER BY ${bestFirst}`;
    const lists = await db.one<{ [K in keyof ChecklistLists]: InJson<ChecklistLists[K][number]>[] }>(sql`
    SELECT ${inJson(own)} AS own, ${inJson(airlines)} AS airlines, ${inJson(best)} AS community, ${inJson(builtInScores)} AS "builtInScores"`);
    return {
      own: lists.own.map(withDates),
      airlines: lists.airlines.map(withDates),
      community: lists.community.map(withDates),
      builtInScores: lists.builtInScores,
    };
  },
});
