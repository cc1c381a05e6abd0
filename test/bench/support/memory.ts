/** Memory of processes from `/proc`; Linux only. */
import { readFile, readdir } from 'node:fs/promises';

export interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** Null when the process has ended: it was listed a moment ago. */
const readIfAlive = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return null;
    throw error;
  }
};

const readProcess = async (pid: number): Promise<Process | null> => {
  const status = await readIfAlive(`/proc/${pid}/status`);
  const command = await readIfAlive(`/proc/${pid}/cmdline`);
  if (status === null || command === null) return null;
  const parent = Number(/^PPid:\t(\d+)/m.exec(status)?.[1]);
  return { pid, parent, command: command.replaceAll('\0', ' ').trim() };
};

/** The process and all that it started, directly or not. */
export const familyOf = async (pid: number): Promise<Process[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = (await Promise.all(pids.map(readProcess))).filter((found) => found !== null);
  const family = all.filter((found) => found.pid === pid);
  for (const member of family) family.push(...all.filter((found) => found.parent === member.pid));
  return family;
};

/** Proportional set size in MB: shared pages count once over all processes that map them. 0 when it has ended. */
export const pssMb = async (pid: number): Promise<number> => {
  const rollup = await readIfAlive(`/proc/${pid}/smaps_rollup`);
  return rollup === null ? 0 : (Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024) / 1e6;
};

/** PSS in MB of the process and all that it started. */
export const familyMb = async (pid: number): Promise<number> => {
  const sizes = await Promise.all((await familyOf(pid)).map((member) => pssMb(member.pid)));
  return sizes.reduce((sum, mb) => sum + mb, 0);
};
