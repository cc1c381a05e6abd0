import type { ChecklistChanges, ChecklistContents } from '#domain/checklists/document.ts';
import type { Owned } from '#domain/checklists/rules.ts';
import { insertOf, isExpected, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import { builtInScores, withOwner } from './lists.ts';
import type { BuiltInScore } from './lists.ts';
import { columns, isOffered, joined } from './rows.ts';
import type { ChecklistEntry, Score, StoredChecklist } from './rows.ts';

/** The owner, and the fields that a copy inherits. */
type OwnedOrigin = Owned & Pick<ChecklistEntry, 'revision' | 'aircraftTypes'>;

interface ListedChecklist extends Score {
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

const ownedBy = ({ userId, vaId }: Owner) =>
  userId === null ? sql`va_id = ${vaId}::int` : sql`user_id = ${userId}::int`;

/** Checklists of users and airlines; those that come with the service have only scores here. */
export const checklistRepo = (db: ReadDb) => ({
  /** With its document. */
  byId: (id: string): Promise<StoredChecklist | null> =>
    db.maybe<StoredChecklist>(
      sql`SELECT ${columns}, c.description, c.document FROM checklist c ${joined} WHERE c.id = ${id}`,
    ),

  count: (owner: Owner): Promise<number> =>
    db.value<number>(sql`SELECT count(*) AS count FROM checklist WHERE ${ownedBy(owner)}`),

  /** The owner, without the document. */
  owned: (id: string): Promise<OwnedOrigin | null> =>
    db.maybe<OwnedOrigin>(sql`
      SELECT user_id, va_id, share_community, revision,
        aircraft_types FROM checklist WHERE id = ${id}`),

  /** True when the stored checklist has this origin. */
  isBasedOn: (id: string, basedOn: string): Promise<boolean> =>
    db.exists(sql`SELECT 1 AS found FROM checklist WHERE id = ${id} AND based_on = ${basedOn}`),

  /** All for the operator, the last changed first. */
  listed: (isShared: boolean, limit: number): Promise<ListedChecklist[]> =>
    db.any<ListedChecklist>(sql`
      SELECT c.id, c.name, coalesce(v.name, u.email) AS owner, c.share_community AS shared,
        c.rating_average, c.rating_count, c.updated_at
      FROM (
        SELECT * FROM checklist WHERE share_community OR NOT ${isShared}::boolean
        ORDER BY updated_at DESC, id LIMIT ${limit}) c LEFT JOIN virtual_airline v ON v.id = c.va_id ${withOwner}
      ORDER BY c.updated_at DESC, c.id`),

  /** Scores of the built-in checklists that were ever rated, by file. */
  builtInScores: (): Promise<BuiltInScore[]> => db.any<BuiltInScore>(builtInScores),
});

export const checklistWrites = (tx: Tx) => ({
  /** Stores it with a new id, or with the id of a deleted one; null if that id is in use. */
  insert: async (
    owner: Owner,
    contents: ChecklistContents,
    { now, id }: { now: Date; id: string | null },
  ): Promise<SavedChecklist | null> => {
    const row = {
      ...contents,
      id: sql`coalesce(${id}::uuid, gen_random_uuid())`,
      userId: owner.userId,
      vaId: owner.vaId,
      document: JSON.stringify(contents.document),
      sharedAt: contents.shareCommunity ? now : null,
      createdAt: now,
      updatedAt: now,
    };
    return tx.maybe<SavedChecklist>(sql`
      ${insertOf('checklist', row)} ON CONFLICT (id) DO NOTHING RETURNING id AS checklist_id, revision`);
  },

  /** Null when this owner has no such checklist, or another revision is stored. */
  update: (
    id: string,
    owner: Owner,
    contents: ChecklistChanges,
    { now, expectedVersion }: { now: Date; expectedVersion: number | undefined },
  ): Promise<SavedChecklist | null> => {
    const { name, version = null, description, basedOn, shareCommunity = null, document } = contents;
    const {
      aircraftTypes = null,
      originRevision: current = null,
      comparedRevision: compared = null,
    } = contents;
    const origin = sql`CASE WHEN ${basedOn === undefined} THEN based_on ELSE ${basedOn ?? null}::text END`;
    // A save that names the same original again leaves the stored revision of the original unchanged.
    const known = sql`CASE WHEN based_on = ${origin} THEN origin_revision END`;
    const isShared = sql`coalesce(${shareCommunity}::boolean, share_community)`;
    return tx.maybe<SavedChecklist>(sql`
      UPDATE checklist SET name = ${name}, document = ${JSON.stringify(document)},
        version = coalesce(${version}::text, version),
        description = CASE WHEN ${description === undefined} THEN description ELSE ${description ?? null}::text END,
        aircraft_types = coalesce(${aircraftTypes}::text[], aircraft_types), based_on = ${origin},
        origin_revision = CASE WHEN ${origin} IS NOT NULL
          THEN coalesce(${compared}::bigint, ${known}, ${current}::bigint) END,
        share_community = ${isShared}, shared_at = CASE WHEN ${isShared} THEN coalesce(shared_at, ${now}) END,
        updated_at = ${now}
      WHERE id = ${id} AND ${ownedBy(owner)} AND ${isExpected(expectedVersion)}
      RETURNING id AS checklist_id, revision`);
  },

  /** Deletes it with its ratings. 0 when this owner has no such checklist, or another revision is stored. */
  delete: (id: string, owner: Owner, expectedVersion: number | undefined): Promise<number> =>
    tx.run(sql`
      DELETE FROM checklist WHERE id = ${id} AND ${ownedBy(owner)} AND ${isExpected(expectedVersion)}`),

  /** Ends its sharing, whoever owns it. 0 when there is none. */
  unshare: (id: string): Promise<number> =>
    tx.run(sql`UPDATE checklist SET share_community = false, shared_at = NULL WHERE id = ${id}`),

  /** Deletes one of any owner. 0 when there is none. */
  deleteAny: (id: string): Promise<number> => tx.run(sql`DELETE FROM checklist WHERE id = ${id}`),

  /** The checklist's owner; the row is locked, so the owner cannot change until the transaction ends. */
  hold: (id: string): Promise<Owned | null> =>
    tx.maybe<Owned>(sql`
      SELECT user_id, va_id, ${isOffered} AS share_community FROM checklist c
      WHERE id = ${id} FOR NO KEY UPDATE`),

  /** Replaces the user's earlier rating; returns the new score. */
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
      SELECT "ratingAverage", "ratingCount" FROM (${builtInScores}) score WHERE file = ${file}`);
  },
});
