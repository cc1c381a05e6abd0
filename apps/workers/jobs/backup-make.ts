import { makeBackup } from '#store/backup/backup.ts';
import { backupWrites } from '#store/postgres/backup/backups.ts';
import { cronJob } from '../worker-job.ts';

/** Backs up to BACKUP_URL and tests the backup (ADR 13); does nothing without that variable. */
export default cronJob(
  { name: 'backup.make', cron: '23 */6 * * *', timeoutSeconds: 7_200, backoffSeconds: 600 },
  async ({ ctx, log, signal }) => {
    if (ctx.config.BACKUP_URL === undefined) return;
    const made = await makeBackup(ctx.config, ctx.clock, signal);
    await ctx.postgres.transaction((tx) =>
      backupWrites(tx).add({ ...made, takenAt: new Date(made.takenAt) }),
    );
    log.info(made, 'backup made and restored on trial');
  },
);
