/** The whole service: an embedded Postgres, the API in this process, workers and scheduler in another. `main.cjs` starts it. */
import { join } from 'node:path';
import { askedText } from '#platform/command-line.ts';

const usage = `usage: npm start          runs the service until Ctrl-C
       npm run dev        the same, validates every answer, and starts again when a module is edited
  Variables: docs/configuration.md. Exit status: 0 stopped, 1 could not start or was stopped at once, 2 usage error.`;

export const run = async (): Promise<void> => {
  const args = process.argv.slice(2);
  const asked = askedText(args, () => usage);
  if (asked !== null) {
    console.log(asked);
    return;
  }
  if (args.some((arg) => arg !== '--dev')) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const { supervise } = await import('./supervisor/supervise.ts');
  const env = args.includes('--dev') ? { VERIFY_ANSWERS: '1', ...process.env } : process.env;
  await supervise(env, {
    loadApi: () => import('./api/main.ts'),
    jobs: join(import.meta.dirname, 'jobs.ts'),
  });
};
