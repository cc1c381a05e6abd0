import { execFile } from 'node:child_process';
import { readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: it has ended. EPERM is impossible, the folder was ours.
    return false;
  }
};

/** A killed run leaves its server and folders; the next run removes those whose process has ended. */
export const releaseLeftovers = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const owner = Number(/^efb-test(?:db)?-(\d+)-/.exec(name)?.[1]);
    if (!Number.isInteger(owner) || isAlive(owner)) continue;
    const folder = join(tmpdir(), name);
    const lock = await readFile(join(folder, '18/postmaster.pid'), 'utf8').catch(() => '');
    const [pid = '', dataFolder = ''] = lock.split('\n');
    if (Number(pid) > 1 && isAlive(Number(pid))) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (dataFolder !== '' && command.includes(dataFolder)) process.kill(Number(pid), 'SIGQUIT');
    }
    // A folder that is not mounted cannot be unmounted; a mounted one cannot be removed.
    if (name.includes('-disk-')) await promisify(execFile)('umount', [folder]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
};
