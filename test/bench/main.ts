/** `npm run bench -- name…`: runs the benchmarks of this folder, one file each, and prints their figures. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { askedText, didYouMean } from '#platform/command-line.ts';

interface Options {
  users: number;
  only: readonly string[] | null;
  edits: number | null;
  kills: number | null;
  seed: string | null;
  from: string | null;
}

const flags = ['users', 'only', 'edits', 'kills', 'seed', 'from'];
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -3))
  .sort();
const args = process.argv.slice(2);
const usage = `usage: npm run bench -- NAME...; several run one after the other, all with "all"
  ${known.join(', ')}
  --users N: accounts of growth, at least 10,000 (of fewer, the heavy one would own most rows), by default 100,000.
  --edits N, --kills N, --seed TEXT: of bad-network; by default 20,000 edits, a kill of a pad for each 60, a new seed.
  --kills N: of changes only kills, N of API and worker.
  --from REF: the earlier version of upgrade, by default UPGRADE_FROM, else the last tag, else the last commit with an older schema.
  --only NAME,...: of abuse only these scenarios (webhooks, developers); of profile only these queries; of growth only the time of these, and of metrics, export, sweeps and memory those that are named.
  Exit status: 0 done, 1 failed, 2 usage error.`;
const wanted = askedText(args, () => usage);
if (wanted !== null) {
  console.log(wanted);
  process.exit(0);
}
const { positionals: asked, values: options } = parseArgs({
  args,
  allowPositionals: true,
  strict: false,
  options: Object.fromEntries(flags.map((name) => [name, { type: 'string' as const }])),
});
/** Null: not given; NaN is refused. */
const countOf = (name: string): number | null => (options[name] === undefined ? null : Number(options[name]));
const [edits, kills] = [countOf('edits'), countOf('kills')];
const isCount = (value: number | null): boolean => value === null || (Number.isInteger(value) && value >= 0);
const textOf = (name: string): string | null => (typeof options[name] === 'string' ? options[name] : null);
const [seed, from] = [textOf('seed'), textOf('from')];
const users = Number(options['users'] ?? 100_000);
const only = typeof options['only'] === 'string' ? options['only'].split(',') : null;
const isUnknown = (name: string) => !flags.includes(name);
if (
  asked.length === 0 ||
  !Number.isInteger(users) ||
  users < 10_000 ||
  !isCount(edits) ||
  !isCount(kills) ||
  Object.keys(options).some(isUnknown)
) {
  console.error(usage);
  process.exit(2);
}
const isAll = asked.length === 1 && asked[0] === 'all';
const wrong = isAll ? [] : asked.filter((name) => !known.includes(name));
if (wrong.length > 0) {
  const near = wrong.map((name) => didYouMean(name, known)).join('');
  console.error(`There is no benchmark ${wrong.join(', ')}.${near} There are: ${known.join(', ')}.`);
  process.exit(2);
}
for (const name of isAll ? known : asked) {
  console.log(`\n${name}`);
  const module = (await import(pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href)) as {
    run: (options: Options) => Promise<void>;
  };
  await module.run({ users, only, edits, kills, seed, from });
}
process.exit();
