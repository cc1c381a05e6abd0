import { createHash } from 'node:crypto';
import type { Context } from '#data/context.ts';
import { printRepo, printWrites } from '#store/postgres/prints/prints.ts';
import type { PrintContent } from '#domain/prints/content.ts';
import { printKey } from '#domain/prints/files.ts';
import type { PrintFile } from '#domain/prints/files.ts';
import { printDraw } from '#domain/jobs/contracts.ts';
import { mapSvg } from '#drawing/svg/map-svg.ts';
import { routeSvg } from '#drawing/svg/route-svg.ts';
import { checklistPdf } from '../pdf/checklist.ts';
import { briefingPdf } from '../pdf/briefing.ts';
import { rasterise, rasteriseForPaper } from '../rasterise.ts';
import { handle } from '../worker-job.ts';

/** The bytes of one file of a print; null if the print lacks its content. The same content gives the same bytes. */
const printBytes = async (
  { document, profile, checklist, map }: PrintContent,
  file: PrintFile,
): Promise<Buffer | null> => {
  if (file === 'briefing.pdf') {
    const picture = profile && (await rasteriseForPaper(routeSvg(profile, 'light')));
    return document && briefingPdf(document, picture);
  }
  if (file === 'checklist.pdf') return checklist ? checklistPdf(checklist) : null;
  const theme = file.endsWith('-dark.png') ? 'dark' : 'light';
  if (file === 'map.png' || file === 'map-dark.png') return map ? rasterise(mapSvg(map, theme), 'png') : null;
  return profile && rasterise(routeSvg(profile, theme), 'png');
};

/** Draws and stores one file. Does nothing if it exists already or the print is gone. */
const drawPrint = async (
  { postgres, storage, clock }: Pick<Context, 'postgres' | 'storage' | 'clock'>,
  { printId, file }: { printId: string; file: PrintFile },
): Promise<'drawn' | 'not wanted'> => {
  const repo = printRepo(postgres.db);
  const [wanted, content] = await Promise.all([repo.file(printId, file, clock.now()), repo.content(printId)]);
  if (!wanted || wanted.asks === 0 || wanted.path !== null || !content) return 'not wanted';
  const bytes = await printBytes(content, file);
  if (!bytes) return 'not wanted';
  const path = printKey(printId, file);
  await storage.put(path, bytes, file.endsWith('.pdf') ? 'application/pdf' : 'image/png');
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const drawn = { path, etag, drawnAt: clock.now() };
  if (await postgres.transaction((tx) => printWrites(tx).keep(wanted, drawn))) return 'drawn';
  // The print was deleted meanwhile, so no row refers to the file.
  if (!(await repo.file(printId, file, clock.now()))) await storage.delete(path);
  return 'not wanted';
};

export default handle(printDraw, async ({ payload, ctx, log }) => {
  log.debug({ ...payload, outcome: await drawPrint(ctx, payload) }, 'print requested');
});
