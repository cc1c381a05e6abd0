// `npm run release -- 0.2.0`: makes a release of a clean tree. Its commit has the version everywhere it is named, its tag
// `v0.2.0` the section of the changelog; client package, SBOM and checksums are in release/0.2.0, and the image is built where
// an engine is. --skip-verify leaves out `npm run verify`, for a commit that has passed it. Nothing is pushed.
const { execFileSync, spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const semver = require('semver');

process.chdir(join(__dirname, '..'));
const [version, ...options] = process.argv.slice(2);
const run = (command, args, cwd = '.') => execFileSync(command, args, { cwd, stdio: 'inherit' });
const read = (command, args) => execFileSync(command, args, { encoding: 'utf8' }).trim();
const refuse = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

const current = JSON.parse(readFileSync('package.json', 'utf8')).version;
if (semver.valid(version) !== version || options.some((option) => option !== '--skip-verify'))
  refuse('usage: npm run release -- VERSION [--skip-verify]    for example 0.2.0');
if (!semver.gt(version, current)) refuse(`${version} is not newer than ${current}.`);
if (read('git', ['status', '--porcelain']) !== '') refuse('The tree has changes: commit them first.');
if (read('git', ['tag', '--list', `v${version}`]) !== '') refuse(`There is a tag v${version}.`);
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [, before, section, after] = /^([^]*?\n## Unreleased\n)([^]*?)(\n## \d[^]*)$/.exec(changelog) ?? [];
if (!section?.trim()) refuse('CHANGELOG.md has nothing under "Unreleased".');

const replaceIn = (path, form, text) => {
  const old = readFileSync(path, 'utf8');
  if (!form.test(old)) throw new Error(`${path} has no ${form}`);
  writeFileSync(path, old.replace(form, text));
};

const nameVersion = () => {
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync('CHANGELOG.md', `${before}\n## ${version}\n\nReleased ${date}.\n${section}${after}`);
  for (const folder of ['.', 'clients/typescript']) run('npm', ['version', version, '--no-git-tag-version'], folder);
  replaceIn('Dockerfile', /(image\.version=")[^"]*/, `$1${version}`);
  for (const example of ['example', 'example/finish'])
    replaceIn(`deploy/kubernetes/${example}/kustomization.yaml`, /(newTag: ).*/, `$1${version}`);
  run('npm', ['run', 'docs']);
};

const hasEngine = () => spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;

const makeArtefacts = (folder) => {
  mkdirSync(folder, { recursive: true });
  run('npm', ['pack', '--silent', '--pack-destination', join(process.cwd(), folder)], 'clients/typescript');
  const kind = ['--package-lock-only', '--workspaces=false', '--omit=dev', '--sbom-format=cyclonedx'];
  const sbom = read('npm', ['sbom', ...kind]);
  writeFileSync(join(folder, `efb-backend-${version}.cdx.json`), `${sbom}\n`);
  const sums = readdirSync(folder)
    .filter((name) => name !== 'SHA256SUMS')
    .map((name) => `${createHash('sha256').update(readFileSync(join(folder, name))).digest('hex')}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  if (hasEngine()) run('docker', ['build', '--tag', `efb-backend:${version}`, '.']);
  else console.log('No container engine: the image was not built.');
};

const folder = join('release', version);
try {
  nameVersion();
  if (options.length === 0) run('npm', ['run', 'verify']);
  makeArtefacts(folder);
} catch (error) {
  run('git', ['checkout', '--', '.']);
  refuse(`Nothing was released: ${error.message}`);
}
run('git', ['commit', '--quiet', '--all', '--message', `Release ${version}`]);
run('git', ['tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `${version}\n${section}`]);
console.log(`Released ${version}: tag v${version}, artefacts in ${folder}. Publish it with: git push --follow-tags`);
