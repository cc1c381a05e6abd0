import { z } from 'zod';
import { FeedFormatError } from '#domain/feed-error.ts';
import { parseSourceJson } from '../../weather/source-json.ts';
import type { Obstacle } from '#store/postgres/airports/obstacles.ts';

const fileSchema = z.object({ fields: z.array(z.string()), rows: z.array(z.array(z.unknown())) });

/**
 * The compact JSON `{fields, rows}` used by prepared copies of the FAA file: elev = top, hgt = above ground,
 * feet.
 */
export const parseObstacleJson = (text: string): (Obstacle | string)[] => {
  const document = parseSourceJson(text, 'The obstacle file');
  const parsed = fileSchema.safeParse(document);
  if (!parsed.success)
    throw new FeedFormatError('WRONG_CONTENT', 'The obstacle file has no fields and rows.');
  const { fields, rows } = parsed.data;
  const missing = ['id', 'type', 'lat', 'lon', 'hgt'].filter((name) => !fields.includes(name));
  if (missing.length > 0) {
    throw new FeedFormatError('WRONG_CONTENT', `The obstacle file has no field ${missing.join(', ')}.`);
  }
  const at = (row: readonly unknown[], name: string): unknown => row[fields.indexOf(name)];
  return rows.map((row) => {
    const [id, type] = [at(row, 'id'), at(row, 'type')];
    const [lat, lon, hgt, elev] = [at(row, 'lat'), at(row, 'lon'), at(row, 'hgt'), at(row, 'elev')];
    if (
      typeof id !== 'string' ||
      typeof lat !== 'number' ||
      typeof lon !== 'number' ||
      typeof hgt !== 'number'
    ) {
      return 'incomplete row';
    }
    return {
      id: id.replace(/^faa:/, ''),
      latitudeDeg: lat,
      longitudeDeg: lon,
      type: typeof type === 'string' ? type.toUpperCase() : 'UNKNOWN',
      aglFt: Math.round(hgt),
      amslFt: typeof elev === 'number' ? Math.round(elev) : null,
      lighting: null,
      isVerified: true,
      horizontalAccuracy: null,
      verticalAccuracy: null,
      actionDate: null,
    };
  });
};
