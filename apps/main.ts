/** `npm start`: the whole service under one supervisor. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Node ${process.versions.node} is too old: this service needs Node 24 (npm ci installs it, npm start uses it).`,
  );
  process.exit(1);
}
enableCompileCache(
  process.env['NODE_COMPILE_CACHE'] || join(process.env['DATA_DIR'] || '.data', 'compile-cache'),
);
const args = process.argv.slice(2);
const usage = `usage: npm start          runs the service until Ctrl-C
       npm run dev        the same, and restarts the tiers whose files are edited
  Variables: docs/configuration.md. Exit status: 0 stopped, 1 could not start, 2 usage error, 130 stopped at once.`;
const { askedText } = await import('#platform/command-line.ts');
const asked = askedText(args, () => usage);
if (asked !== null) console.log(asked);
else if (args.some((arg) => arg !== '--watch')) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const { service, supervise } = await import('./supervisor/supervise.ts');
  const root = join(import.meta.dirname, '..');
  const isDevelopment = args.includes('--watch');
  const env = isDevelopment ? { VERIFY_ANSWERS: '1', ...process.env } : process.env;
  await supervise(env, service, isDevelopment ? { watched: root } : {});
}
