import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Runs a script to its end in a separate process. `script` is relative to the project's folder; `signal` ends it.
 * Throws unless it exits with 0.
 */
export const runOnce = async (
  script: string,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<void> => {
  const child = spawn(process.execPath, [resolve(root, script)], {
    cwd: root,
    env,
    signal,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, endedBy] = await once(child, 'exit');
  if (code !== 0)
    throw new Error(`${script} failed (${endedBy ?? `exit code ${code}`}); see its messages above.`);
};
