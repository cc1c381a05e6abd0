import { notamWrites } from '#store/postgres/notam/notam.ts';
import { interpretAgain, parserVersion } from '#domain/notam/interpret.ts';
import { cronJob, inBatches } from '../worker-job.ts';

/** A batch takes well below a second. */
const batchSize = 200;

/** Interprets NOTAM again that an older version interpreted; queries only use the stored interpretation. */
export default cronJob({ name: 'notam.interpret', cron: '* * * * *', timeoutSeconds: 300 }, async (run) => {
  const total = await inBatches(run, batchSize, async (tx) => {
    const writes = notamWrites(tx);
    const outdated = await writes.takeOutdated(batchSize);
    if (outdated.length > 0) await writes.replace(outdated.map(interpretAgain));
    return outdated.length;
  });
  if (total > 0) run.log.info({ notams: total, version: parserVersion }, 'stored NOTAM interpreted again');
});
