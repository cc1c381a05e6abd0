import { restore as restoreArchive } from '#data/backup/restore.ts';
import { loneVerb } from '../command.ts';
import type { Noun } from '../command.ts';
import { text } from '../flags.ts';

export const restore: Noun = {
  name: 'restore',
  summary: 'Restores a backup into an empty DATA_DIR.',
  verbs: {
    '': loneVerb({
      summary:
        'Checks the archive, then creates DATA_DIR from it; with DATABASE_URL, that database must be empty. Start the service afterwards.',
      flags: { in: text('Archive of `ops -- backup`.') },
      runAlone: async (env, { in: file }) => {
        const report = await restoreArchive(env, file);
        return {
          data: { ...report },
          text: `Restored ${report.rows} rows and ${report.files} files as of ${report.takenAt}, in ${report.seconds} s.`,
        };
      },
    }),
  },
};
