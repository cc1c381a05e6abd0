import { resolve } from 'node:path';
import { backUp, checkArchive, makeBackup } from '#store/backup/backup.ts';
import { version } from '#platform/command-line.ts';
import { backupWrites } from '#store/postgres/backup/backups.ts';
import { restore as restoreArchive } from '#store/backup/restore.ts';
import { onStopSignals } from '#platform/process.ts';
import { flagSwitch, maybeText } from '../flags.ts';
import { localVerb, standaloneVerb } from '../verb.ts';
import type { Noun } from '../verb.ts';

export const backup: Noun = {
  name: 'backup',
  title: 'Backup',
  summary: 'One archive of the database, the stored files and the secrets.',
  verbs: {
    '': localVerb({
      summary:
        'Backs up the service, running or stopped, and restores the backup on trial. It contains secrets: keep it private.',
      flags: {
        out: maybeText(
          'File to write, which must not exist; a tar compressed with zstd. Without it the backup goes to BACKUP_URL, like scheduled ones.',
        ),
        unchecked: flagSwitch(
          'With --out: skips the trial restore, which needs a role with CREATEDB; the backup then does not count as the last good one.',
        ),
      },
      run: async ({ config, clock, change }, { out, unchecked }) => {
        const report = await (out === undefined
          ? makeBackup(config, clock)
          : backUp(config, resolve(out), version));
        const isTried = out === undefined || !unchecked;
        if (out !== undefined && isTried) await checkArchive(config, report.file);
        await change(async (tx, trail) => {
          if (isTried) await backupWrites(tx).add({ ...report, takenAt: new Date(report.takenAt) });
          const { file, takenAt, bytes } = report;
          trail.noted('backup', file, null, { takenAt, bytes });
        });
        return {
          data: { ...report, isTried },
          text: `${report.file}: ${(report.bytes / 1e6).toFixed(1)} MB, ${report.rows} rows of ${report.tables} tables and ${report.files} files as of ${report.takenAt}, in ${report.seconds} s${isTried ? '; restored on trial' : ''}.`,
        };
      },
    }),
  },
};

const everyMs = 2_000;

/** Prints a line to standard error every two seconds. */
const progress = () => {
  let shownAt = -Infinity;
  return (rows: number, ofRows: number): void => {
    if (performance.now() - shownAt < everyMs) return;
    shownAt = performance.now();
    process.stderr.write(`restoring: ${rows} of ${ofRows} rows\n`);
  };
};

export const restore: Noun = {
  name: 'restore',
  title: 'Restore',
  summary: 'Restores a backup into an empty DATA_DIR.',
  verbs: {
    '': standaloneVerb({
      summary:
        'Checks the archive, then creates DATA_DIR from it; with DATABASE_URL, that database must be empty. Start the service afterwards.',
      flags: {
        in: maybeText('Archive of `ops -- backup`; without it the newest backup of BACKUP_URL.'),
        clean: flagSwitch('Deletes what a killed restore left behind.'),
      },
      run: async (env, { in: file, clean }) => {
        const stopping = new AbortController();
        onStopSignals(
          () => stopping.abort(),
          () => process.exit(1),
        );
        const { signal } = stopping;
        const report = await restoreArchive(env, file, { clean, signal, onRows: progress() });
        return {
          data: { ...report },
          text: `Restored ${report.rows} rows and ${report.files} files as of ${report.takenAt}, in ${report.seconds} s.`,
        };
      },
    }),
  },
};
