// `npm start`. Plain JavaScript, since an old Node cannot even read the TypeScript that would say this, and since a process that compiles
// any keeps the memory of the compiler: on the first start another process does it for all of them.
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { existsSync, writeFileSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Node ${process.versions.node} is too old: this service needs Node 24. "npm ci" installs it on Linux (x64 and arm64); elsewhere install it yourself.`,
  );
  process.exit(1);
}

const cache = process.env.NODE_COMPILE_CACHE || join(process.env.DATA_DIR || '.data', 'compile-cache');
/** Undefined where the folder cannot be written. */
const { directory } = enableCompileCache(cache);
const { version } = require('../package.json');

const mark = join(directory ?? '', `compiled-${version}`);
const isStart = process.argv.slice(2).every((arg) => arg === '--watch');

const run = (compiled) => import('./main.ts').then((main) => main.run(compiled));

if (!directory || !isStart || existsSync(mark)) run(Promise.resolve());
else {
  const child = fork(join(__dirname, 'compile.ts'), { env: { ...process.env, NODE_COMPILE_CACHE: cache } });
  const ended = once(child, 'exit').then(([code]) => {
    if (code === 0) writeFileSync(mark, '');
  });
  // The modules of this process come first.
  Promise.race([once(child, 'message'), ended]).then(() => run(ended));
}
