import type { VirtualAirline } from '#domain/accounts/virtual-airline.ts';
import { sql } from './sql.ts';
import type { Db } from './sql.ts';

const columns = sql`id, name, website, contact_email AS "contactEmail", logo, logo_dark AS "logoDark",
  logo_white AS "logoWhite", is_partner AS "isPartner", legacy_name AS "legacyName"`;

/** Virtual airlines, their members and admins. */
export const vaRepo = (db: Db) => ({
  /** All partners and the airlines of these ids, by name. */
  partnersAnd: (ids: readonly number[]): Promise<VirtualAirline[]> =>
    db.any<VirtualAirline & Record<string, unknown>>(sql`
      SELECT ${columns} FROM virtual_airline WHERE is_partner OR id = ANY(${[...ids]}::int[]) ORDER BY lower(name)`),
});
