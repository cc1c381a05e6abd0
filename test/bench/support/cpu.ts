import { readFileSync, readdirSync } from 'node:fs';

/** CPU seconds of a process and its descendants, from /proc. */
export const cpuOf = (pid: number): number => {
  let total = 0;
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
      if (Number(entry) === pid) total += user + system + endedUser + endedSystem;
      else if (fields[1] === pid) total += user + system;
    } catch (error) {
      // A process that ended while the list was read.
      if (!(error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))))
        throw error;
    }
  }
  return total / 100;
};
