import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { printJobKey, printRepo, printWrites } from '#store/postgres/prints/prints.ts';
import type { PrintedFile } from '#store/postgres/prints/prints.ts';
import { printDraw } from '#domain/jobs/contracts.ts';
import { printDays, printFiles } from '#domain/prints/files.ts';
import { addSeconds } from '#domain/time.ts';
import { commonError } from '../errors.ts';
import { clientHas } from '../http/documents.ts';
import type { DrawnSignals } from '../services/services.ts';
import { fileOf, lostAfterSeconds, waitForDrawing } from './drawn.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True if no worker will draw the file unless asked. */
const mustBeAskedFor = async ({ clock, queues }: Context, seen: PrintedFile): Promise<boolean> => {
  const { askedAt, path } = seen;
  if (askedAt === null || path !== null) return true;
  if (askedAt > addSeconds(clock.now(), -lostAfterSeconds)) return false;
  const key = printJobKey(seen);
  return (await queues.find(printDraw, [key])).get(key) !== 'queued';
};

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
  (context: Context, signals: DrawnSignals) =>
  async (ctx: KoaContext, id: string, name: string): Promise<void> => {
    const file = printFiles.find((candidate) => candidate === name);
    if (!file || !uuid.test(id)) throw commonError('NOT_FOUND');
    const repo = printRepo(context.postgres.db);
    const seen = await repo.file(id, file, context.clock.now());
    if (!seen) throw commonError('NOT_FOUND');
    let drawing = await fileOf(context, seen);
    if (!drawing) {
      if (await mustBeAskedFor(context, seen)) await ask(context, seen);
      drawing = await waitForDrawing(signals, id, async () => {
        const drawn = await repo.file(id, file, context.clock.now());
        return drawn && fileOf(context, drawn);
      });
    }
    const etag = `"${drawing.etag}"`;
    ctx.set('ETag', etag);
    ctx.set('Cache-Control', `private, max-age=${printDays * 86_400}, immutable`);
    if (clientHas(ctx, etag)) {
      ctx.status = 304;
      return;
    }
    ctx.type = file.endsWith('.pdf') ? 'application/pdf' : 'image/png';
    ctx.body = drawing.bytes;
  };
