import type { DrawableCalculation, GraphicName, RasterFormat } from '#domain/performance/graphic.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { CalculationKind } from '#domain/performance/history.ts';

/** One PNG or JPG of a calculation. */
export interface PictureId {
  publicId: string;
  name: GraphicName;
  format: RasterFormat;
}

export interface Picture extends PictureId {
  calculationId: number;
  kind: CalculationKind;
  /** Number of requests; 0: never. */
  asks: number;
  askedAt: Date | null;
  /** Storage key and ETag of the file; null until it is drawn. */
  path: string | null;
  etag: string | null;
}

interface DrawnFile {
  path: string;
  etag: string;
  bytes: number;
  drawnAt: Date;
}

const pictureColumns = sql`c.id AS calculation_id, c.kind, c.public_id,
  coalesce(g.asks, 0) AS asks, g.asked_at, g.path, g.etag`;

/** Dedupe key of the drawing job that was requested last. */
export const pictureJobKey = ({ calculationId, name, format, asks }: Picture): string =>
  `${calculationId}/${name}.${format}#${asks}`;

/** Drawings of calculations: their data, and the requested pictures. */
export const graphicRepo = (db: ReadDb) => ({
  /** Null when there is no such calculation, when it has no drawing, or when its contents have expired. */
  calculation: (publicId: string): Promise<DrawableCalculation | null> =>
    db.maybe<DrawableCalculation>(sql`
      SELECT kind, request, result, drawing AS facts FROM calculation
      WHERE public_id = ${publicId} AND drawing IS NOT NULL`),

  /**
   * A picture, requested or not; null as above. For dispatch the three names are one picture, `dispatch`, and their
   * dark ones another.
   */
  picture: ({ publicId, name, format }: PictureId): Promise<Picture | null> =>
    db.maybe<Picture>(sql`
      SELECT ${pictureColumns}, n.name, ${format}::text AS format
      FROM calculation c
      CROSS JOIN LATERAL (SELECT CASE c.kind WHEN 'landingDispatch' THEN
        CASE WHEN ${name}::text LIKE '%-dark' THEN 'dispatch-dark' ELSE 'dispatch' END ELSE ${name}::text END) n (name)
      LEFT JOIN graphic g ON g.calculation_id = c.id AND g.name = n.name AND g.format = ${format}
      WHERE c.public_id = ${publicId} AND c.drawing IS NOT NULL`),

  /**
   * Pictures that are not drawn and were requested since `from`, but not between `to` and `now`, oldest first; those
   * in the future are from before the clock went back. The next page begins after the last picture of this one.
   */
  waiting: (times: { from: Date; to: Date; now: Date }, limit: number, after?: Picture): Promise<Picture[]> =>
    db.any<Picture>(sql`
      SELECT ${pictureColumns}, g.name, g.format
      FROM graphic g JOIN calculation c ON c.id = g.calculation_id
      WHERE g.drawn_at IS NULL AND g.asked_at >= ${times.from}
        AND (g.asked_at < ${times.to} OR g.asked_at > ${times.now})
        AND (${after === undefined} OR (g.asked_at, g.calculation_id, g.name, g.format) >
          (${after?.askedAt ?? null}::timestamptz, ${after?.calculationId ?? null}::bigint, ${after?.name ?? null}::text,
            ${after?.format ?? null}::text))
      ORDER BY g.asked_at, g.calculation_id, g.name, g.format LIMIT ${limit}`),
});

export const graphicWrites = (tx: Tx) => ({
  /**
   * Requests a picture if it is still in the state that the caller saw. Returns the new number of requests;
   * null when another caller was faster, or when the calculation no longer has a drawing.
   */
  ask: (seen: Picture, now: Date): Promise<number | null> =>
    tx.valueOrNull<number>(sql`
      INSERT INTO graphic (calculation_id, name, format, asks, asked_at)
      SELECT id, ${seen.name}, ${seen.format}, 1, ${now} FROM calculation
      WHERE id = ${seen.calculationId} AND drawing IS NOT NULL
      ON CONFLICT (calculation_id, name, format) DO UPDATE SET
        asks = graphic.asks + 1, asked_at = excluded.asked_at,
        path = NULL, etag = NULL, bytes = NULL, drawn_at = NULL
      WHERE graphic.asks = ${seen.asks} AND graphic.path IS NOT DISTINCT FROM ${seen.path}
      RETURNING asks`),

  /** Records the file of a requested picture; false when it is no longer needed. */
  keep: async ({ calculationId, name, format }: Picture, file: DrawnFile): Promise<boolean> => {
    const kept = await tx.run(sql`
      UPDATE graphic SET path = ${file.path}, etag = ${file.etag}, bytes = ${file.bytes}, drawn_at = ${file.drawnAt}
      WHERE calculation_id = ${calculationId} AND name = ${name} AND format = ${format} AND drawn_at IS NULL`);
    return kept > 0;
  },
});
