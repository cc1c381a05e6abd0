// `npm run lock`: updates the lock files, then drops the `engines` of packages that want a newer Node than npm needs
// for the installation: the Node that runs them comes with the package, and npm would warn of each. With --check it
// changes nothing and exits with 1 when there is something to drop.
const { execFileSync } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { minVersion, satisfies } = require('semver');

const checks = process.argv.includes('--check');
for (const folder of ['.', 'clients/interop']) {
  const file = join(folder, 'package-lock.json');
  if (!checks) execFileSync('npm', ['install', '--package-lock-only'], { cwd: folder, stdio: 'inherit' });
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const oldest = minVersion(lock.packages[''].engines.node);
  const newer = Object.entries(lock.packages).filter(
    ([path, { engines }]) => path !== '' && engines?.node !== undefined && !satisfies(oldest, engines.node),
  );
  for (const [, entry] of newer) delete entry.engines;
  if (newer.length > 0) {
    process.stdout.write(
      `${file}: want a newer Node than ${oldest}: ${newer.map(([path]) => path).join(', ')}\n`,
    );
    if (checks) process.exitCode = 1;
    else writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  }
}
