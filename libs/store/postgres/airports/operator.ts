/** Operator data of runways: declared distances, engine-failure procedures, climb gradients, exits. */
import {
  describeOverride,
  isEmptyOverride,
  operatorExitSchema,
  operatorRunwaySchema,
} from '#domain/airports/operator.ts';
import type {
  OperatorExit,
  OperatorExitInput,
  OperatorRunway,
  OperatorRunwayInput,
} from '#domain/airports/operator.ts';
import { DomainError } from '#domain/errors.ts';
import { airportChangeWrites } from './changes.ts';
import { excludedOf, insertOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface Author {
  author: string;
  at: Date;
}

export type StoredOperatorRunway = OperatorRunway & { author: string; updatedAt: Date };
export type StoredOperatorExit = OperatorExit & { author: string | null; updatedAt: Date };

interface Orphan {
  icao: string;
  ident: string;
  kind: 'runway' | 'exit';
  updatedAt: Date;
}

const runwayColumns = sql`icao, ident, tora_m, toda_m, asda_m, lda_m, is_closed, efp_kind, efp_text,
  efp_acceleration_altitude_ft, efp_turn, macg_percent, note, author, updated_at`;

const exitColumns = sql`icao, ident, name, side, distance_m, angle_deg, is_hidden, author, updated_at`;

/** The current designator of a runway end; an old one is resolved to the new one. Throws RUNWAY_NOT_FOUND. */
const presentIdent = async (tx: Tx, icao: string, ident: string): Promise<string> => {
  const row = await tx.maybe<{ ident: string }>(sql`
    SELECT ident FROM runway_end WHERE icao = ${icao} AND ident = coalesce(
      (SELECT ident FROM runway_end WHERE icao = ${icao} AND ident = ${ident}),
      (SELECT new_ident FROM runway_alias WHERE icao = ${icao} AND old_ident = ${ident}))`);
  if (row) return row.ident;
  const known = await tx.any<{ ident: string }>(sql`
    SELECT ident FROM runway_end WHERE icao = ${icao} ORDER BY ident`);
  const names = known.map((end) => end.ident).join(', ');
  throw new DomainError(
    'RUNWAY_NOT_FOUND',
    {},
    names === '' ? `${icao} has no runway in the database.` : `${icao} has no runway ${ident}, but ${names}.`,
  );
};

const authored = sql`'{author,updated_at}'::text[]`;

const touch = (tx: Tx, icao: string, at: Date): Promise<number> =>
  tx.run(sql`UPDATE airport SET updated_at = ${at} WHERE icao = ${icao}`);

export const airportOperatorRepo = (db: ReadDb) => ({
  /** Entries of one airport or of all. */
  runways: (icao?: string): Promise<StoredOperatorRunway[]> =>
    db.any<StoredOperatorRunway>(sql`
      SELECT ${runwayColumns} FROM runway_operator
      WHERE ${icao ?? null}::text IS NULL OR icao = ${icao ?? null} ORDER BY icao, ident`),

  exits: (icao?: string): Promise<StoredOperatorExit[]> =>
    db.any<StoredOperatorExit>(sql`
      SELECT ${exitColumns} FROM runway_exit
      WHERE source = 'operator' AND (${icao ?? null}::text IS NULL OR icao = ${icao ?? null})
      ORDER BY icao, ident, distance_m, name`),

  /** Entries whose runway is not (or no longer) in the database: they apply again if it returns. */
  orphans: (): Promise<Orphan[]> =>
    db.any<Orphan>(sql`
      SELECT o.icao, o.ident, 'runway' AS kind, o.updated_at FROM runway_operator o
      WHERE NOT EXISTS (SELECT 1 FROM runway_end e WHERE e.icao = o.icao AND e.ident = o.ident)
      UNION ALL
      SELECT x.icao, x.ident, 'exit', max(x.updated_at) FROM runway_exit x
      WHERE x.source = 'operator'
        AND NOT EXISTS (SELECT 1 FROM runway_end e WHERE e.icao = x.icao AND e.ident = x.ident)
      GROUP BY x.icao, x.ident
      ORDER BY 1, 2, 3`),
});

export const airportOperatorWrites = (tx: Tx) => ({
  /**
   * Sets all operator data of one runway end; an entry without values deletes them. Returns false when nothing changed.
   * Throws ZodError for invalid values, DomainError RUNWAY_NOT_FOUND.
   */
  setRunway: async (input: OperatorRunwayInput, { author, at }: Author): Promise<boolean> => {
    const given = operatorRunwaySchema.parse(input);
    const runway = { ...given, ident: await presentIdent(tx, given.icao, given.ident) };
    const row = { ...runway, author, updatedAt: at };
    const written = isEmptyOverride(runway)
      ? await tx.run(sql`DELETE FROM runway_operator WHERE icao = ${runway.icao} AND ident = ${runway.ident}`)
      : await tx.run(sql`
          ${insertOf('runway_operator AS o', row)}
          ON CONFLICT (icao, ident) DO UPDATE SET ${excludedOf(row)}
          WHERE to_jsonb(o) - ${authored} IS DISTINCT FROM to_jsonb(excluded) - ${authored}`);
    if (written === 0) return false;
    await airportChangeWrites(tx).add([{ icao: runway.icao, runways: [describeOverride(runway)] }], at);
    await touch(tx, runway.icao, at);
    return true;
  },

  /** Adds or replaces an operator exit. Returns false when nothing changed. */
  setExit: async (input: OperatorExitInput, { author, at }: Author): Promise<boolean> => {
    const given = operatorExitSchema.parse(input);
    const exit = { ...given, ident: await presentIdent(tx, given.icao, given.ident) };
    const row = { ...exit, source: 'operator', author, updatedAt: at };
    const written = await tx.run(sql`
      ${insertOf('runway_exit AS x', row)}
      ON CONFLICT (icao, ident, name) WHERE source = 'operator' DO UPDATE SET ${excludedOf(row)}
      WHERE (x.side, x.distance_m, x.angle_deg, x.is_hidden)
        IS DISTINCT FROM (excluded.side, excluded.distance_m, excluded.angle_deg, excluded.is_hidden)`);
    if (written === 0) return false;
    const comment = `operator: exit ${exit.name} ${exit.isHidden ? 'hidden' : `at ${Math.round(exit.distanceM)} m`}`;
    await airportChangeWrites(tx).add([{ icao: exit.icao, runways: [{ id: exit.ident, comment }] }], at);
    await touch(tx, exit.icao, at);
    return true;
  },

  /**
   * Removes an operator exit; the computed one of the same name is shown again. Returns false when there was
   * none.
   */
  removeExit: async (icao: string, ident: string, name: string, at: Date): Promise<boolean> => {
    const removed = await tx.run(sql`
      DELETE FROM runway_exit WHERE source = 'operator' AND icao = ${icao} AND ident = ${ident} AND name = ${name}`);
    if (removed === 0) return false;
    await airportChangeWrites(tx).add(
      [{ icao, runways: [{ id: ident, comment: `operator: exit ${name} removed` }] }],
      at,
    );
    await touch(tx, icao, at);
    return true;
  },
});
