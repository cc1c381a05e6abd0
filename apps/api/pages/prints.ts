import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { printJobKey, printRepo, printWrites } from '#store/postgres/prints/prints.ts';
import type { PrintedFile } from '#store/postgres/prints/prints.ts';
import { printDraw } from '#domain/jobs/contracts.ts';
import { printDays, printFiles } from '#domain/prints/files.ts';
import { daySeconds } from '#domain/time.ts';
import { commonError } from '../errors.ts';
import { sendDocument } from '../http/documents.ts';
import { fileOf, isDrawingId, mustBeAskedFor, waitForDrawing } from './drawn.ts';

const ask = (context: Context, seen: PrintedFile): Promise<void> =>
  context.postgres.transaction(async (tx) => {
    const asks = await printWrites(tx).ask(seen, context.clock.now());
    if (asks === null) return;
    const { printId, file } = seen;
    const dedupeKey = printJobKey({ printId, file, asks });
    await context.jobs.enqueue(tx, printDraw, { printId, file }, { dedupeKey });
  });

/** `GET /prints/{id}/{file}`: drawn by a worker at the first request, then stored. */
export const servePrint =
  (context: Context) =>
  async (ctx: KoaContext, id: string, name: string): Promise<void> => {
    const file = printFiles.find((candidate) => candidate === name);
    if (!file || !isDrawingId(id)) throw commonError('NOT_FOUND');
    const repo = printRepo(context.postgres.db);
    const seen = await repo.file(id, file, context.clock.now());
    if (!seen) throw commonError('NOT_FOUND');
    let drawing = await fileOf(context, seen);
    if (!drawing) {
      if (await mustBeAskedFor(context, printDraw, printJobKey(seen), seen)) await ask(context, seen);
      drawing = await waitForDrawing(async () => {
        const drawn = await repo.file(id, file, context.clock.now());
        return drawn && fileOf(context, drawn);
      });
    }
    const { etag, bytes } = drawing;
    const type = file.endsWith('.pdf') ? 'application/pdf' : 'image/png';
    const cacheControl = `private, max-age=${printDays * daySeconds}, immutable`;
    await sendDocument(ctx, { etag: `"${etag}"`, type, read: () => bytes }, cacheControl);
  };
