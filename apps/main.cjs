// `npm start`. Plain JavaScript, since an old Node cannot even read the TypeScript that would say this.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Node ${process.versions.node} is too old: this service needs Node 24. "npm ci" installs it on Linux (x64 and arm64); elsewhere install it yourself.`,
  );
  process.exit(1);
}

// Code compiled by one start is found by the child process and by later starts.
process.env.NODE_COMPILE_CACHE ||= join(process.env.DATA_DIR || '.data', 'compile-cache');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
import('./main.ts').then((main) => main.run());
