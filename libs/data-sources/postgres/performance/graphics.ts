import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export const graphicFormats = ['svg', 'png', 'jpg'] as const;
export type GraphicFormat = (typeof graphicFormats)[number];

/** Channel on which a worker tells that a calculation is drawn; the payload is its public id. */
export const graphicDrawnChannel = 'graphic_drawn';

export interface DrawnGraphic {
  name: string;
  format: GraphicFormat;
  /** Storage key. */
  path: string;
  etag: string;
  bytes: number;
  drawnAt: Date;
}

const columns = sql`g.name, g.format, g.path, g.etag, g.bytes, g.drawn_at AS "drawnAt"`;

/** Scenes of calculations and the pictures drawn from them. */
export const graphicRepo = (db: ReadDb) => ({
  /** Null when there is no such calculation. */
  scenesOf: (publicId: string) =>
    db.maybe<{ calculationId: number; scenes: Record<string, unknown> }>(sql`
      SELECT id AS "calculationId", scenes FROM calculation WHERE public_id = ${publicId}`),

  drawnOf: (calculationId: number) =>
    db.any<DrawnGraphic>(sql`SELECT ${columns} FROM graphic g WHERE g.calculation_id = ${calculationId}`),

  /** One picture; null while it is not drawn, or when there is no such scene. */
  find: (publicId: string, name: string, format: GraphicFormat) =>
    db.maybe<DrawnGraphic>(sql`
      SELECT ${columns} FROM graphic g JOIN calculation c ON c.id = g.calculation_id
      WHERE c.public_id = ${publicId} AND g.name = ${name} AND g.format = ${format}`),

  /** True when the calculation has a scene of that name, drawn or not. */
  hasScene: async (publicId: string, name: string): Promise<boolean> =>
    (await db.maybe(
      sql`SELECT 1 AS one FROM calculation WHERE public_id = ${publicId} AND scenes ? ${name}`,
    )) !== null,

  /** Public ids of calculations made between the two moments whose pictures are not complete, oldest first. */
  unfinished: async (from: Date, to: Date, limit: number): Promise<string[]> => {
    const rows = await db.any<{ publicId: string }>(sql`
      SELECT c.public_id AS "publicId" FROM calculation c
      WHERE c.created_at >= ${from} AND c.created_at < ${to} AND c.scenes <> '{}'
        AND (SELECT count(*) FROM graphic g WHERE g.calculation_id = c.id)
          < ${graphicFormats.length} * (SELECT count(*) FROM jsonb_object_keys(c.scenes))
      ORDER BY c.created_at LIMIT ${limit}`);
    return rows.map((row) => row.publicId);
  },
});

export const graphicWrites = (tx: Tx) => ({
  save: (calculationId: number, graphic: DrawnGraphic): Promise<number> =>
    tx.run(sql`
      INSERT INTO graphic (calculation_id, name, format, path, etag, bytes, drawn_at)
      VALUES (${calculationId}, ${graphic.name}, ${graphic.format}, ${graphic.path}, ${graphic.etag},
        ${graphic.bytes}, ${graphic.drawnAt})
      ON CONFLICT (calculation_id, name, format) DO UPDATE SET
        path = excluded.path, etag = excluded.etag, bytes = excluded.bytes, drawn_at = excluded.drawn_at`),

  /** Heard by listeners when the transaction commits. */
  notifyDrawn: (publicId: string): Promise<number> =>
    tx.run(sql`SELECT pg_notify(${graphicDrawnChannel}, ${publicId})`),
});
