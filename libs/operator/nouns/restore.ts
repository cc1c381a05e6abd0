import { restore as restoreArchive } from '#store/backup/restore.ts';
import { onStopSignals } from '#platform/process.ts';
import { flagSwitch, maybeText } from '../flags.ts';
import { standaloneVerb } from '../verb.ts';
import type { Noun } from '../verb.ts';

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
        clean: flagSwitch('Deletes what a restore that was killed has left.'),
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
