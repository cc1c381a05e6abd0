import type { Offer } from '#domain/checklists/community.ts';
import type { ChecklistChanges, ChecklistContents } from '#domain/checklists/contents.ts';
import type { ChecklistDocument } from '#domain/checklists/document.ts';
import type { ChecklistReader, Owned } from '#domain/checklists/rules.ts';
import { airlinesOfReader } from '#domain/virtual-airlines/admin-gate.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';
import { inJson, withDates } from '../json-rows.ts';
import type { InJson } from '../json-rows.ts';
import { isDisabled } from '../users/disabled.ts';
import { isExpected } from '../revision.ts';

export interface Score {
  /** Mean of the ratings to two decimals, 0 without one. */
  ratingAverage: number;
  ratingCount: number;
}

/** As lists show it. */
export interface ChecklistEntry extends Owned, Score {
  id: string;
  name: string;
  version: string;
  basedOn: string | null;
  /** Rises with each change of the contents, not with ratings. */
  revision: number;
  /** Name of the owning airline. */
  vaName: string | null;
  updatedAt: Date;
}

export interface ChecklistRow extends ChecklistEntry {
  description: string | null;
}

/** With the names of the owner, null for an airline. */
export interface CommunityEntry extends ChecklistEntry {
  firstname: string | null;
  lastname: string | null;
  alias: string | null;
  myRating: number | null;
}

export interface BuiltInScore extends Score {
  file: string;
}

export interface ChecklistLists {
  /** Of the user, by name. */
  own: ChecklistEntry[];
  /** Of the airlines, by name. */
  airlines: ChecklistEntry[];
  /** The best first. */
  community: CommunityEntry[];
  builtInScores: BuiltInScore[];
}

export interface ListedChecklist extends Score {
  id: string;
  name: string;
  /** Email address of the user, or name of the airline. */
  owner: string;
  shared: boolean;
  updatedAt: Date;
}

export type SavedChecklist = Pick<ChecklistEntry, 'revision'> & { checklistId: string };

/** Exactly one of them is not null. */
export type Owner = Pick<Owned, 'userId' | 'vaId'>;

/** The best ones; what comes behind them is not worth a page. */
const maxCommunity = 500;
/** Without a limit: of the user all, since a client that knows no pages must not lose what its user made. */
const preset = { airlines: 500, community: 100 };

/** Of `checklist c`: the lists of a disabled account are hidden until it is enabled again. */
const isOffered = sql`(c.share_community AND (c.user_id IS NULL OR NOT ${isDisabled(sql`c.user_id`)}))`;

const columns = sql`c.id, c.user_id AS "userId", c.va_id AS "vaId", c.name, c.version,
  c.based_on AS "basedOn", ${isOffered} AS "shareCommunity", c.rating_average AS "ratingAverage",
  c.rating_count AS "ratingCount", c.revision, c.updated_at AS "updatedAt", v.name AS "vaName"`;
const withAirline = sql`LEFT JOIN virtual_airline v ON v.id = c.va_id`;
/** Of some rows, so one by one: OFFSET keeps the planner from reading all accounts for them. */
const withOwner = sql`LEFT JOIN LATERAL (SELECT * FROM app_user WHERE id = c.user_id OFFSET 0) u ON true`;
const from = sql`FROM checklist c ${withAirline}`;
const ownedBy = ({ userId, vaId }: Owner) =>
  userId === null ? sql`va_id = ${vaId}::int` : sql`user_id = ${userId}::int`;
const scored = sql`CASE WHEN rating_count = 0 THEN 0 ELSE round(rating_sum::numeric / rating_count, 2) END`;

const bestFirst = sql`c.rating_average DESC, c.rating_count DESC, c.id`;

const builtInScores = sql`
  SELECT file, ${scored} AS "ratingAverage", rating_count AS "ratingCount" FROM built_in_checklist_score`;

/** Checklists of users and airlines; those that come with the service have only scores here. */
export const checklistRepo = (db: ReadDb) => ({
  /** What a user is shown, in one statement; with a limit that page of each list. */
  lists: async (
    reader: ChecklistReader,
    { limit, offset, scope }: { limit: number | null; offset: number; scope: 'all' | 'own' },
  ): Promise<ChecklistLists> => {
    const { userId } = reader;
    const { ids, isEvery } = airlinesOfReader(reader);
    const byName = (isWanted: Sql, size: number | null) => sql`
      SELECT ${columns} ${from} WHERE ${isWanted} ORDER BY lower(c.name), c.id LIMIT ${size}::int OFFSET ${offset}`;
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
        SELECT * FROM checklist c WHERE ${isOffered}
        ORDER BY ${bestFirst} LIMIT ${size} OFFSET ${start}) c ${withAirline} ${withOwner}
        LEFT JOIN checklist_rating r ON r.checklist_id = c.id AND r.user_id = ${userId}
      ORDER BY ${bestFirst}`;
    const found = await db.one<{ [K in keyof ChecklistLists]: InJson<ChecklistLists[K][number]>[] }>(sql`
      SELECT ${inJson(own)} AS own, ${inJson(airlines)} AS airlines, ${inJson(best)} AS community, ${inJson(builtInScores)} AS "builtInScores"`);
    return {
      own: found.own.map(withDates),
      airlines: found.airlines.map(withDates),
      community: found.community.map(withDates),
      builtInScores: found.builtInScores,
    };
  },

  /** With its document. */
  byId: (id: string): Promise<(ChecklistRow & { document: ChecklistDocument }) | null> =>
    db.maybe<ChecklistRow & { document: ChecklistDocument }>(
      sql`SELECT ${columns}, c.description, c.document ${from} WHERE c.id = ${id}`,
    ),

  count: async (owner: Owner): Promise<number> =>
    (await db.one<{ count: number }>(sql`SELECT count(*) AS count FROM checklist WHERE ${ownedBy(owner)}`))
      .count,

  /** Whose it is, without its document. */
  owned: (id: string): Promise<Owned | null> =>
    db.maybe<Owned>(sql`
      SELECT user_id AS "userId", va_id AS "vaId", share_community AS "shareCommunity" FROM checklist WHERE id = ${id}`),

  /** True when the stored checklist has this origin. */
  isBasedOn: async (id: string, basedOn: string): Promise<boolean> =>
    (await db.maybe(sql`SELECT 1 AS found FROM checklist WHERE id = ${id} AND based_on = ${basedOn}`)) !==
    null,

  /** For the operator, the last changed first. */
  listed: (isShared: boolean, limit: number): Promise<ListedChecklist[]> =>
    db.any<ListedChecklist>(sql`
      SELECT c.id, c.name, coalesce(v.name, u.email) AS owner, c.share_community AS shared,
        c.rating_average AS "ratingAverage", c.rating_count AS "ratingCount", c.updated_at AS "updatedAt"
      FROM (
        SELECT * FROM checklist WHERE share_community OR NOT ${isShared}::boolean
        ORDER BY updated_at DESC, id LIMIT ${limit}) c ${withAirline} ${withOwner}
      ORDER BY c.updated_at DESC, c.id`),

  /** Of the built-in ones that have ever been rated, by file. */
  builtInScores: (): Promise<BuiltInScore[]> => db.any<BuiltInScore & Record<string, unknown>>(builtInScores),

  /** When users offered their checklists to the community, the latest first; airlines have the user id null. */
  offers: (): Promise<Offer[]> =>
    db.any<Offer>(sql`
      SELECT user_id AS "userId", shared_at AS "sharedAt" FROM checklist c WHERE ${isOffered}
      ORDER BY shared_at DESC LIMIT 10000`),
});

export const checklistWrites = (tx: Tx) => ({
  /** With a new id, or that of one that was deleted; null when there is one with it. */
  insert: async (
    owner: Owner,
    contents: ChecklistContents,
    { now, id }: { now: Date; id: string | null },
  ): Promise<SavedChecklist | null> => {
    const { name, version, description, basedOn, shareCommunity, document } = contents;
    return tx.maybe<SavedChecklist>(sql`
      INSERT INTO checklist (id, user_id, va_id, name, version, description, based_on, document, share_community,
        shared_at, created_at, updated_at)
      VALUES (coalesce(${id}::uuid, gen_random_uuid()), ${owner.userId}, ${owner.vaId}, ${name}, ${version}, ${description},
        ${basedOn}, ${JSON.stringify(document)}, ${shareCommunity}, ${shareCommunity ? now : null}, ${now}, ${now})
      ON CONFLICT (id) DO NOTHING
      RETURNING id AS "checklistId", revision`);
  },

  /** Null when this owner has no such checklist, or another revision is stored. */
  update: (
    id: string,
    owner: Owner,
    contents: ChecklistChanges,
    { now, expectedVersion }: { now: Date; expectedVersion: number | undefined },
  ): Promise<SavedChecklist | null> => {
    const { name, version = null, description, basedOn, shareCommunity = null, document } = contents;
    const isShared = sql`coalesce(${shareCommunity}::boolean, share_community)`;
    return tx.maybe<SavedChecklist>(sql`
      UPDATE checklist SET name = ${name}, document = ${JSON.stringify(document)},
        version = coalesce(${version}::text, version),
        description = CASE WHEN ${description === undefined} THEN description ELSE ${description ?? null}::text END,
        based_on = CASE WHEN ${basedOn === undefined} THEN based_on ELSE ${basedOn ?? null}::text END,
        share_community = ${isShared}, shared_at = CASE WHEN ${isShared} THEN coalesce(shared_at, ${now}) END,
        updated_at = ${now}
      WHERE id = ${id} AND ${ownedBy(owner)} AND ${isExpected(expectedVersion)}
      RETURNING id AS "checklistId", revision`);
  },

  /** With its ratings. 0 when this owner has no such checklist, or another revision is stored. */
  delete: (id: string, owner: Owner, expectedVersion: number | undefined): Promise<number> =>
    tx.run(sql`
      DELETE FROM checklist WHERE id = ${id} AND ${ownedBy(owner)} AND ${isExpected(expectedVersion)}`),

  /** By the operator. 0 when there is none. */
  unshare: (id: string): Promise<number> =>
    tx.run(sql`UPDATE checklist SET share_community = false, shared_at = NULL WHERE id = ${id}`),

  /** Of any owner. 0 when there is none. */
  deleteAny: (id: string): Promise<number> => tx.run(sql`DELETE FROM checklist WHERE id = ${id}`),

  /** Whose it is; it remains so until the end of the transaction. */
  hold: (id: string): Promise<Owned | null> =>
    tx.maybe<Owned>(sql`
      SELECT user_id AS "userId", va_id AS "vaId", ${isOffered} AS "shareCommunity" FROM checklist c
      WHERE id = ${id} FOR NO KEY UPDATE`),

  /** Replaces the user's earlier rating; the new score. */
  rate: async (id: string, userId: number, rating: number, now: Date): Promise<Score> => {
    await tx.run(sql`
      INSERT INTO checklist_rating (checklist_id, user_id, rating, rated_at) VALUES (${id}, ${userId}, ${rating}, ${now})
      ON CONFLICT (checklist_id, user_id) WHERE checklist_id IS NOT NULL
      DO UPDATE SET rating = excluded.rating, rated_at = excluded.rated_at`);
    return tx.one<Score>(sql`
      SELECT rating_average AS "ratingAverage", rating_count AS "ratingCount" FROM checklist WHERE id = ${id}`);
  },

  rateBuiltIn: async (file: string, userId: number, rating: number, now: Date): Promise<Score> => {
    await tx.run(sql`
      INSERT INTO checklist_rating (built_in, user_id, rating, rated_at) VALUES (${file}, ${userId}, ${rating}, ${now})
      ON CONFLICT (built_in, user_id) WHERE built_in IS NOT NULL
      DO UPDATE SET rating = excluded.rating, rated_at = excluded.rated_at`);
    return tx.one<Score>(sql`
      SELECT ${scored} AS "ratingAverage", rating_count AS "ratingCount" FROM built_in_checklist_score
      WHERE file = ${file}`);
  },
});
