import { z } from 'zod';
import { fileObject, fileObjectSchema, folderObject, folderObjectSchema } from '#domain/library/objects.ts';
import { isSameView, shownAirline, viewOf } from '#domain/library/space.ts';
import { placeText, syncPageFields } from '#domain/library/sync-page.ts';
import { addSeconds } from '#domain/time.ts';
import { librarySpaceRepo, librarySpaceWrites } from '#store/postgres/library/spaces.ts';
import { librarySyncRepo, librarySyncWrites } from '#store/postgres/library/sync.ts';
import { tombstoneDays } from '#store/postgres/sweeps/retentions.ts';
import { defineQuery } from '../../define.ts';
import { linksField, linksSchema, ownerOf, renewedLinks } from './common/library.ts';
import { instantText } from '#domain/text/instant.ts';

/** ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC; absent or null: everything. */
const sinceField = () =>
  z
    .string('INVALID_SINCE')
    .max(64, 'INVALID_SINCE')
    .transform((text, ctx) => {
      const instant = instantText(text);
      if (instant !== null) return instant;
      ctx.addIssue('INVALID_SINCE');
      return z.NEVER;
    })
    .nullish();

const usageSchema = z.strictObject({ usedBytes: z.int(), quotaMb: z.int() });

export default defineQuery({
  name: 'librarySync',
  spec: ['2.5', '4.4'],
  summary:
    'All folders and files that the user sees, or the changes since an earlier sync, with the storage used; with `limit` a page of them. Every value of an entry is a text, including ids and numbers.',
  devKey: 'library',
  errors: {
    INVALID_SINCE: { status: 400, message: 'since must be a time of ISO 8601, or YYYY-MM-DD HH:MM:SS.' },
    INVALID_FIELD: { status: 400, message: 'after must be `next` of the page before, links ids of files.' },
    SINCE_TOO_OLD: {
      status: 410,
      message: 'Deletions this old are no longer kept. Sync without since, and remove everything else.',
    },
  },
  input: z.strictObject({ since: sinceField(), links: linksField(), ...syncPageFields() }),
  output: z.strictObject({
    library: z.strictObject({
      folders: z.array(folderObjectSchema),
      files: z.array(fileObjectSchema),
      syncedAt: z.string(),
      next: z.string().nullable().optional(),
      userProductLevel: z.int(),
      storage: z.strictObject({ user: usageSchema, va: usageSchema.optional() }),
      links: linksSchema,
    }),
  }),
  // Writes only if the user's view has changed.
  tx: 'manual',
  commits: 'nothing',
  example: { since: '2026-09-16 12:00:00' },
  // Contains thousands of links, each valid for an hour.
  isBodyLogged: false,
  handler: async ({ db, transaction, caller, clock, downloadLinks, now, fail, input }) => {
    const { since, limit, after, links } = input;
    const { userId } = caller;
    const sync = librarySyncRepo(db);
    const view = viewOf(caller);
    const noted = await sync.latestView(userId);
    if (!noted || !isSameView(noted, view))
      await transaction(async (tx) => {
        const before = addSeconds(clock.now(), -tombstoneDays * 86_400);
        const stamp = await librarySpaceWrites(tx).tick(clock.now());
        await librarySyncWrites(tx).noteView(userId, view, { stamp, before });
      });
    const known = since ? { since, view: await sync.viewAt(userId, since) } : null;
    const page = { limit, after: after ?? null };
    const { folders, files, syncedAt, last } = await sync.read(userId, view, known, now, page);
    // Checked after the read: a sweep records how far it has deleted.
    if (since && since < (await sync.sweptTo())) throw fail('SINCE_TOO_OLD');
    const airline = shownAirline(caller);
    const spaces = librarySpaceRepo(db);
    const va = airline === null ? null : await spaces.ofAirline(airline);
    const usedBytes = await spaces.usedBytes(ownerOf(caller));
    const { libraryQuotaMb: quotaMb } = caller.entitlement.product;
    const linkTo = downloadLinks.to(caller);
    return {
      library: {
        folders: folders.map((folder) => folderObject(folder, known !== null)),
        files: files.map((file) => fileObject(file, linkTo)),
        syncedAt,
        ...(limit === null ? {} : { next: last && placeText(last) }),
        userProductLevel: view.level,
        storage: { user: { usedBytes, quotaMb }, ...(va ? { va } : {}) },
        ...(await renewedLinks(links, { db, caller, downloadLinks })),
      },
    };
  },
});
