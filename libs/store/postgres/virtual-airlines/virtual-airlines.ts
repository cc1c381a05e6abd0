import type { VaAdminRole } from '#domain/virtual-airlines/admin-gate.ts';
import type { VirtualAirline } from '#domain/virtual-airlines/virtual-airline.ts';
import { contains, insertId, recordOf, setOf, sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';
import { logoPath } from '#domain/virtual-airlines/virtual-airline.ts';

export interface VaRow extends VirtualAirline {
  libraryQuotaMb: number;
}

interface VaMember {
  userId: number;
  email: string;
  joinedAt: Date;
}

interface VaCounts {
  members: number;
  admins: number;
  checklists: number;
  fleetProfiles: number;
  /** Bytes of its files in the library. */
  libraryBytes: number;
}

const columns = sql`id, name, website, contact_email AS "contactEmail", logo, logo_dark AS "logoDark",
  logo_white AS "logoWhite", is_partner AS "isPartner", legacy_name AS "legacyName",
  library_quota_mb AS "libraryQuotaMb"`;

const stored = sql`name, website, contact_email, logo, logo_dark, logo_white, is_partner, legacy_name, library_quota_mb`;

/** All partners and the airlines with these ids. */
export const partnersAnd = (ids: readonly number[]): Sql =>
  sql`SELECT ${columns} FROM virtual_airline WHERE is_partner OR id = ANY(${[...ids]}::int[])`;

interface ListedAdmin {
  email: string;
  scope: 'VA_ONLY' | 'FULL';
  /** Name of the airline; null for a FULL admin. */
  va: string | null;
  isActive: boolean;
}

/** Virtual airlines, their members and admins. Names are compared case-insensitively. */
export const vaRepo = (db: ReadDb) => ({
  /** All partners and the airlines with these ids, by name. */
  partnersAnd: (ids: readonly number[]): Promise<VirtualAirline[]> =>
    db.any<VaRow>(sql`${partnersAnd(ids)} ORDER BY lower(name)`),

  /** By name; those whose name contains the text. */
  list: (search: string, limit: number, offset = 0): Promise<VaRow[]> =>
    db.any<VaRow>(sql`
      SELECT ${columns} FROM virtual_airline WHERE ${contains(sql`lower(name)`, search)}
      ORDER BY lower(name) LIMIT ${limit} OFFSET ${offset}`),

  byName: (name: string): Promise<VaRow | null> =>
    db.maybe<VaRow>(sql`SELECT ${columns} FROM virtual_airline WHERE lower(name) = lower(${name})`),

  byId: (id: number): Promise<VaRow | null> =>
    db.maybe<VaRow>(sql`SELECT ${columns} FROM virtual_airline WHERE id = ${id}`),

  /** Content of the airline, by kind. */
  counts: (id: number): Promise<VaCounts> =>
    db.one<VaCounts>(sql`
      SELECT (SELECT count(*) FROM va_member WHERE va_id = ${id}) AS members,
        (SELECT count(*) FROM va_admin WHERE va_id = ${id}) AS admins,
        (SELECT count(*) FROM checklist WHERE va_id = ${id}) AS checklists,
        (SELECT count(*) FROM fleet_profile WHERE va_id = ${id}) AS fleet_profiles,
        coalesce((SELECT used_bytes FROM library_space WHERE va_id = ${id}), 0) AS library_bytes`),

  members: (vaId: number): Promise<VaMember[]> =>
    db.any<VaMember>(sql`
      SELECT u.id AS user_id, u.email, m.joined_at
      FROM va_member m JOIN app_user u ON u.id = m.user_id WHERE m.va_id = ${vaId} ORDER BY lower(u.email)`),

  /** Name of the airline that has no other active admin than this user; null without one. */
  onlyAdminOf: (userId: number): Promise<string | null> =>
    db.valueOrNull<string>(sql`
        SELECT v.name FROM va_admin a JOIN virtual_airline v ON v.id = a.va_id
        WHERE a.user_id = ${userId} AND a.is_active AND NOT EXISTS (
          SELECT FROM va_admin o JOIN app_user u ON u.id = o.user_id
          WHERE o.va_id = a.va_id AND o.user_id <> a.user_id AND o.is_active AND u.disabled_at IS NULL)`),

  admins: (): Promise<ListedAdmin[]> =>
    db.any<ListedAdmin>(sql`
      SELECT u.email, a.scope, v.name AS va, a.is_active
      FROM va_admin a JOIN app_user u ON u.id = a.user_id LEFT JOIN virtual_airline v ON v.id = a.va_id
      ORDER BY lower(u.email)`),
});

/** Clears the preferred aircraft of an airline's fleet where no airline of the user has it any longer. */
const dropLostAircraft = (tx: Tx, userIds: readonly number[]): Promise<number> =>
  tx.run(sql`
    UPDATE app_user u SET preferences = preferences - 'defaultAircraftOnStartup'
    WHERE id = ANY (${[...userIds]}::int[]) AND preferences->'defaultAircraftOnStartup'->>'vaFleet' = 'true'
      AND NOT EXISTS (
        SELECT FROM va_member m JOIN fleet_profile p ON p.va_id = m.va_id
        WHERE m.user_id = u.id
          AND upper(p.registration) = upper(preferences->'defaultAircraftOnStartup'->>'userRegistration'))`);

export const vaWrites = (tx: Tx) => ({
  /** The new id. Throws VA_EXISTS. */
  create: (name: string): Promise<number> => insertId(tx, 'virtual_airline', { name }),

  /** Creates those whose names are not in use; returns their number. */
  addMissing: (list: readonly Omit<VaRow, 'id'>[]): Promise<number> =>
    tx.run(sql`
      INSERT INTO virtual_airline (${stored}) SELECT ${stored}
      FROM jsonb_populate_recordset(NULL::virtual_airline, ${JSON.stringify(list.map(recordOf))}::jsonb)
      ON CONFLICT DO NOTHING`),

  /** Throws VA_EXISTS. */
  save: ({ id, ...va }: VaRow): Promise<number> =>
    tx.run(sql`UPDATE virtual_airline SET ${setOf(va)} WHERE id = ${id}`),

  /** With everything that refers to it: checklists, fleet and memberships. `clearSpace` clears its library. */
  delete: async (id: number): Promise<number> => {
    const members = await tx.any<{ userId: number }>(
      sql`DELETE FROM va_member WHERE va_id = ${id} RETURNING user_id`,
    );
    const deleted = await tx.run(sql`DELETE FROM virtual_airline WHERE id = ${id}`);
    await dropLostAircraft(
      tx,
      members.map(({ userId }) => userId),
    );
    return deleted;
  },

  /** Locks the airline of this name, ignoring letter case; null when there is none. */
  hold: (name: string): Promise<VaRow | null> =>
    tx.maybe<VaRow>(
      sql`SELECT ${columns} FROM virtual_airline WHERE lower(name) = lower(${name}) FOR UPDATE`,
    ),

  /** 0 when the user is already a member. */
  addMember: (vaId: number, userId: number, now: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO va_member (user_id, va_id, joined_at) VALUES (${userId}, ${vaId}, ${now}) ON CONFLICT DO NOTHING`),

  /** Chooses the active airline of a member. */
  activate: (vaId: number, userId: number): Promise<number> =>
    tx.run(sql`UPDATE app_user SET active_va_id = ${vaId} WHERE id = ${userId}`),

  /** True for a member; the membership cannot end before the end of the transaction. */
  holdMembership: (vaId: number, userId: number): Promise<boolean> =>
    tx.exists(sql`SELECT 1 AS found FROM va_member WHERE va_id = ${vaId} AND user_id = ${userId} FOR SHARE`),

  /** Also clears the active airline, the admin role there, and the preferred aircraft of its fleet. 0 when the user was not a member. */
  removeMember: async (vaId: number, userId: number): Promise<number> => {
    // First, because it waits for a transaction that is choosing this airline.
    const removed = await tx.run(sql`DELETE FROM va_member WHERE user_id = ${userId} AND va_id = ${vaId}`);
    await tx.run(
      sql`UPDATE app_user SET active_va_id = NULL WHERE id = ${userId} AND active_va_id = ${vaId}`,
    );
    await tx.run(
      sql`DELETE FROM va_admin WHERE user_id = ${userId} AND va_id = ${vaId} AND scope = 'VA_ONLY'`,
    );
    await dropLostAircraft(tx, [userId]);
    return removed;
  },

  /** One role per user: a new one replaces the old. */
  setAdmin: (userId: number, scope: 'VA_ONLY' | 'FULL', vaId: number | null): Promise<number> =>
    tx.run(sql`
      INSERT INTO va_admin (user_id, scope, va_id) VALUES (${userId}, ${scope}, ${vaId})
      ON CONFLICT (user_id) DO UPDATE SET scope = excluded.scope, va_id = excluded.va_id, is_active = true`),

  /** The role of a user, which cannot change before the end of the transaction; null without one. */
  holdAdminRole: (userId: number): Promise<VaAdminRole | null> =>
    tx.maybe<VaAdminRole>(sql`
      SELECT a.scope, a.va_id, a.is_active, v.name AS va_name
      FROM va_admin a LEFT JOIN virtual_airline v ON v.id = a.va_id WHERE a.user_id = ${userId} FOR SHARE OF a`),

  /** A deactivated role is kept, without its rights. 0 when the user has none. */
  setAdminActive: (userId: number, isActive: boolean): Promise<number> =>
    tx.run(sql`UPDATE va_admin SET is_active = ${isActive} WHERE user_id = ${userId}`),

  removeAdmin: (userId: number): Promise<number> =>
    tx.run(sql`DELETE FROM va_admin WHERE user_id = ${userId}`),
});

interface StoredLogo {
  mediaType: string;
  content: Buffer;
}

export const logoRepo = (db: ReadDb) => ({
  byId: (id: string): Promise<StoredLogo | null> =>
    db.maybe<StoredLogo>(sql`SELECT media_type, content FROM va_logo WHERE id = ${id}`),
});

export const logoWrites = (tx: Tx) => ({
  /** The path of the stored logo. */
  add: async (vaId: number, { mediaType, content }: StoredLogo): Promise<string> => {
    const id = await tx.value<string>(sql`
      INSERT INTO va_logo (va_id, media_type, content) VALUES (${vaId}, ${mediaType}, ${content}) RETURNING id`);
    return logoPath(id);
  },

  /** Those that the airline no longer refers to. */
  deleteUnused: (vaId: number): Promise<number> =>
    tx.run(sql`
      DELETE FROM va_logo l USING virtual_airline v WHERE l.va_id = ${vaId} AND v.id = ${vaId}
        AND 'logos/' || l.id NOT IN (coalesce(v.logo, ''), coalesce(v.logo_dark, ''), coalesce(v.logo_white, ''))`),
});
