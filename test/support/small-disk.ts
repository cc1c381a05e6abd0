/**
 * A file system that is soon full:
 *
 *   const disk = await smallDisk(1_000_000);
 *   if (!disk) { context.skip('this user may not mount a file system'); return; }
 *   await disk.remove();
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallDisk {
  folder: string;
  /** Unmounts it. */
  remove: () => Promise<void>;
}

/** Null if mounting is not permitted. Files belong to `owner`, by default this user. */
export const smallDisk = async (
  bytes: number,
  owner?: { uid: number; gid: number },
): Promise<SmallDisk | null> => {
  const folder = await mkdtemp(join(tmpdir(), `efb-test-${process.pid}-disk-`));
  const of = owner ? `,uid=${owner.uid},gid=${owner.gid}` : '';
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0755${of}`, 'tmpfs', folder]);
  } catch {
    // Only a superuser may mount, and not in every container.
    await rm(folder, { recursive: true, force: true });
    return null;
  }
  return {
    folder,
    remove: async () => {
      await run('umount', [folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
