import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

/** Ended but not reaped by its parent; an orphan may stay so for a while. */
const isZombie = (pid: number): boolean => {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && /\) Z /.test(readFileSync(path, 'utf8'));
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    // ESRCH: it has ended.
    return false;
  }
};

/** Environment for child processes that need no test variables: it reuses the compile cache. */
export const bareEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

export interface StartedService {
  pid: number;
  output: () => string;
  /** Resolves with the exit code. */
  exit: Promise<number | null>;
  /** Waits for the `ready` line and returns its URL; throws with the output if the process ends before. */
  ready: (limitMs?: number) => Promise<string>;
}

/** Starts a script in a new process group, like a terminal, or in a shell, like npm. */
export const startService = (
  script: string,
  env: Record<string, string>,
  options: { throughShell?: boolean; args?: string[] } = {},
): StartedService => {
  // vitest sets BASE_URL for web tests; here it is a variable of the service.
  const { BASE_URL: _, ...inherited } = process.env;
  const [command, args] = options.throughShell
    ? ['sh', ['-c', `'${process.execPath}' '${script}'; exit $?`]]
    : [process.execPath, [script, ...(options.args ?? [])]];
  const child = spawn(command, args, {
    env: { ...inherited, DATABASE_URL: '', PORT: '0', LOG_LEVEL: 'warn', ...env },
    detached: true,
  });
  let output = '';
  let ended = false;
  child.stdout.on('data', (chunk) => void (output += String(chunk)));
  child.stderr.on('data', (chunk) => void (output += String(chunk)));
  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      ended = true;
      resolve(code);
    });
  });
  const addressOf = () => /^ready (http:\/\/\S+)$/m.exec(output)?.[1];
  return {
    pid: child.pid ?? 0,
    output: () => output,
    exit,
    ready: async (limitMs = 240_000) => {
      try {
        await until('ready line', () => addressOf() !== undefined || ended, limitMs);
      } catch (error) {
        throw new Error(`no ready line within ${limitMs} ms; output:\n${output}`, { cause: error });
      }
      const address = addressOf();
      if (address === undefined) throw new Error(`ended before it was ready; output:\n${output}`);
      return address;
    },
  };
};
