/** The whole service under one supervisor. `main.cjs` starts it on a Node that it has checked, from compiled code. */
import { join } from 'node:path';
import { askedText } from '#platform/command-line.ts';

const usage = `usage: npm start          runs the service until Ctrl-C
       npm run dev        the same, and restarts the tiers whose files are edited
  Variables: docs/configuration.md. Exit status: 0 stopped, 1 could not start, 2 usage error, 130 stopped at once.`;

/** `compiled` resolves when the children will find their modules in the compile cache. */
export const run = async (compiled: Promise<unknown>): Promise<void> => {
  const args = process.argv.slice(2);
  const asked = askedText(args, () => usage);
  if (asked !== null) {
    console.log(asked);
    return;
  }
  if (args.some((arg) => arg !== '--watch')) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const { service, supervise } = await import('./supervisor/supervise.ts');
  const root = join(import.meta.dirname, '..');
  const isDevelopment = args.includes('--watch');
  const env = isDevelopment ? { VERIFY_ANSWERS: '1', ...process.env } : process.env;
  await supervise(env, service, { compiled, ...(isDevelopment ? { watched: root } : {}) });
};

if (import.meta.main) await run(Promise.resolve());
