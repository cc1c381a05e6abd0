import { resolve } from 'node:path';
import { backUp } from '#data/backup/backup.ts';
import { noteBackup } from '#data/backup/last.ts';
import { version } from '#data/command-line.ts';
import { verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { text } from '../flags.ts';

export const backup: Noun = {
  name: 'backup',
  summary: 'One archive of the database, the stored files and the secrets.',
  verbs: {
    '': verb({
      summary:
        'Backs up while the service runs, or of a stopped one. The archive contains secrets: keep it private.',
      flags: { out: text('File to write, which must not exist; a tar compressed with zstd.') },
      run: async (ops, { out }) => {
        const report = await backUp(ops.config, resolve(out), version);
        await noteBackup(ops.config.DATA_DIR, report);
        const size = `${(report.bytes / 1e6).toFixed(1)} MB`;
        return {
          data: { ...report },
          text: `${report.file}: ${size}, ${report.rows} rows of ${report.tables} tables and ${report.files} files as of ${report.takenAt}, in ${report.seconds} s.`,
        };
      },
    }),
  },
};
