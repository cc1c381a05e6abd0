/** Which core a process runs on, by taskset. Linux only. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const apiCore = 0;
/** Core of Postgres and of the load. */
export const databaseCore = 1;

/** Pins a process with all its threads to these cores; processes that it starts later inherit them. */
export const pin = (pid: number, cores: string): void => {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' });
};

/** Cores of this process, as taskset takes them. */
export const ownCores = (): string =>
  /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';

/** Seconds for which a core has been busy since boot, for any process. */
export const busyOf = (core: number): number => {
  const line = new RegExp(String.raw`^cpu${core} (.+)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1];
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (line ?? '')
    .split(' ')
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / 100;
};
