/** New download links of files that have not changed: those of a sync are valid for an hour. */
import { z } from 'zod';
import { libraryEntryRepo } from '#data/postgres/library/entries.ts';
import type { DownloadLinks } from '#data/auth/download-links.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { idField, listField } from '#domain/fields/index.ts';
import { viewOf } from '#domain/library/space.ts';
import type { Caller } from '#domain/users/types.ts';

/** Of one call. */
const maxLinks = 500;

export const linksField = () => listField(idField(), { max: maxLinks }).nullish();

export const linksSchema = z
  .array(z.strictObject({ id: z.string(), version: z.string(), downloadUrl: z.url() }))
  .optional()
  .describe('new download links of the files in `links` that the user sees and that can be downloaded');

/** Nothing where none are asked for. */
export const renewedLinks = async (
  ids: readonly number[] | null | undefined,
  { db, caller, downloadLinks }: { db: ReadDb; caller: Caller; downloadLinks: DownloadLinks },
): Promise<{ links?: z.input<typeof linksSchema> }> => {
  if (!ids) return {};
  const linkTo = downloadLinks.to(caller);
  const files = await libraryEntryRepo(db).downloads(ids, caller.userId, viewOf(caller));
  return {
    links: files.map((file) => ({
      id: String(file.id),
      version: String(file.version),
      downloadUrl: linkTo(file),
    })),
  };
};
