import { logoPath } from '#domain/virtual-airlines/logo.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

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
    const { id } = await tx.one<{ id: string }>(sql`
      INSERT INTO va_logo (va_id, media_type, content) VALUES (${vaId}, ${mediaType}, ${content}) RETURNING id`);
    return logoPath(id);
  },

  /** Those that the airline no longer refers to. */
  deleteUnused: (vaId: number): Promise<number> =>
    tx.run(sql`
      DELETE FROM va_logo l USING virtual_airline v WHERE l.va_id = ${vaId} AND v.id = ${vaId}
        AND 'logos/' || l.id NOT IN (coalesce(v.logo, ''), coalesce(v.logo_dark, ''), coalesce(v.logo_white, ''))`),
});
