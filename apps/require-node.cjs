// Plain JavaScript, since an old Node cannot even read the TypeScript that would say this.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Node ${process.versions.node} is too old: this service needs Node 24. "npm ci" installs it on Linux (x64 and arm64); elsewhere install it yourself.`,
  );
  process.exit(1);
}
