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
const { supervise } = await import('./supervisor/supervise.ts');
await supervise(process.env);
