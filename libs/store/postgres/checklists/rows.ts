/** Columns of checklists for the statements of this folder. */
import type { ChecklistDocument } from '#domain/checklists/document.ts';
import type { StoredOrigin } from '#domain/checklists/origin.ts';
import type { Owned } from '#domain/checklists/rules.ts';
import { sql } from '../sql.ts';
import type { Sql } from '../sql.ts';
import { isDisabled } from '../users/identities.ts';

export interface Score {
  /** Mean of the ratings to two decimals, 0 without one. */
  ratingAverage: number;
  ratingCount: number;
}

/** As in lists. */
export interface ChecklistEntry extends Owned, Score {
  id: string;
  name: string;
  version: string;
  /** ICAO designators of the aircraft that it is for. */
  aircraftTypes: string[];
  basedOn: string | null;
  /** Revision of the original that was copied or last compared with; null: unknown. */
  originRevision: number | null;
  /** The original, while it is stored here and the user may read it. */
  origin: StoredOrigin | null;
  /** Rises with each change of the contents, not with ratings. */
  revision: number;
  /** Name of the owning airline. */
  vaName: string | null;
  updatedAt: Date;
}

export interface StoredChecklist extends ChecklistEntry {
  description: string | null;
  document: ChecklistDocument;
}

/** Whether this checklist is offered: the lists of a disabled account are hidden until it is enabled again. */
const offered = (alias: Sql): Sql => sql`
  (${alias}.share_community AND (${alias}.user_id IS NULL OR NOT ${isDisabled(sql`${alias}.user_id`)}))`;

/** Columns of `checklist c`. */
export const isOffered = offered(sql`c`);

export const columns = sql`c.id, c.user_id AS "userId", c.va_id AS "vaId", c.name, c.version,
  c.aircraft_types AS "aircraftTypes", c.based_on AS "basedOn", c.origin_revision AS "originRevision", o.origin,
  ${isOffered} AS "shareCommunity", c.rating_average AS "ratingAverage", c.rating_count AS "ratingCount", c.revision,
  c.updated_at AS "updatedAt", v.name AS "vaName"`;

const uuid = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** Joins that the columns need besides `checklist c`. */
export const joined = sql`LEFT JOIN virtual_airline v ON v.id = c.va_id
  LEFT JOIN LATERAL (
    SELECT jsonb_build_object('revision', original.revision, 'userId', original.user_id, 'vaId', original.va_id,
      'shareCommunity', ${offered(sql`original`)}) AS origin
    FROM checklist original
    WHERE original.id = CASE WHEN c.based_on ~ ${uuid} THEN c.based_on::uuid END) o ON true`;
