/**
 * `npm run migrate`: migrates the database of DATABASE_URL (or the embedded one) to the schema of this
 * version, and fills a new one with airports. Processes of the previous version keep running. `npm run
 * migrate -- finish`: removes what only the previous version needed, when none of its processes is connected.
 * `npm run migrate -- status`: lists its migrations and changes nothing; exit code 1 unless all have run.
 */
import { askedText, didYouMean, version } from '#platform/command-line.ts';
import type { Config } from '#platform/config/config.ts';
import { createLogger } from '#platform/log/log.ts';
import { OperatorError } from '#platform/errors.ts';
import { migrationStatus } from '#store/postgres/migrate.ts';
import type { MigrationState } from '#store/postgres/migrations.ts';
import { prepareDatabase } from '#store/service-database.ts';
import { seedDatabase } from '#operator/seed.ts';
import { openConfig } from './open-config.ts';

const finish = async (config: Config): Promise<number> => {
  const ran = await prepareDatabase(config, 'finish');
  console.log(ran.length === 0 ? 'There is nothing to finish.' : `Ran ${ran.join(', ')}.`);
  return 0;
};

/** What runs when the last process of the previous version has ended. */
const waiting = async ({ DATABASE_URL }: Config): Promise<MigrationState[]> =>
  (await migrationStatus(DATABASE_URL)).filter(
    ({ state, stage }) => state === 'pending' && stage === 'after',
  );

const run = async (config: Config): Promise<number> => {
  const ran = await prepareDatabase(config, 'later');
  console.log(ran.length === 0 ? 'The database is up to date.' : `Ran ${ran.join(', ')}.`);
  const later = await waiting(config);
  if (later.length > 0)
    console.log(
      `${later.map(({ name }) => name).join(', ')}: when every process has this version, run \`npm run migrate -- finish\`.`,
    );
  const log = createLogger('migrate', 'warn');
  const { airports, partners, isGuestCreated } = await seedDatabase(config, log);
  if (airports > 0) console.log(`Seeded ${airports} airports.`);
  if (partners > 0) console.log(`Seeded ${partners} partner airlines.`);
  if (isGuestCreated) console.log('Created the developer key and the account of /try.');
  return 0;
};

const lineOf = ({ name, state, stage, ranAt }: MigrationState, width: number): string =>
  `${name.padEnd(width)}  ${state.padEnd(7)}  ${ranAt?.toISOString() ?? (stage === 'after' ? 'after the upgrade' : '-')}`;

const status = async ({ DATABASE_URL }: Config): Promise<number> => {
  const states = await migrationStatus(DATABASE_URL);
  const width = Math.max(...states.map(({ name }) => name.length));
  for (const state of states) console.log(lineOf(state, width));
  const counts = (['pending', 'unknown', 'edited'] as const).flatMap((kind) => {
    const count = states.filter(({ state }) => state === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const latest = states.findLast(({ state }) => state !== 'unknown')?.name ?? 'none';
  console.log(
    counts.length === 0
      ? `The database is up to date with version ${version}.`
      : `Not up to date with ${latest} of version ${version}: ${counts.join(', ')}.`,
  );
  return counts.length === 0 ? 0 : 1;
};

const commands: ReadonlyMap<string, (config: Config) => Promise<number>> = new Map([
  ['', run],
  ['finish', finish],
  ['status', status],
]);

const usage = `usage: npm run migrate              migrates the database and fills a new one with airports
       npm run migrate -- finish    removes what only the previous version needed, when none of its processes is left
       npm run migrate -- status    lists the migrations with state and time, and changes nothing
  Exit status: 0 done (status: all have run), 1 failed (status: not all have run), 2 usage error.`;

const [name = '', ...rest] = process.argv.slice(2);
const asked = askedText(process.argv.slice(2), () => usage);
const command = rest.length === 0 ? commands.get(name) : undefined;
if (asked !== null) console.log(asked);
else if (command) {
  try {
    const { config, close } = await openConfig(process.env, { prepares: command !== status });
    try {
      process.exitCode = await command(config);
    } finally {
      await close();
    }
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : `Migration failed: ${String(error)}`);
    process.exitCode = 1;
  }
} else {
  const what = [name, ...rest].join(' ');
  console.error(`Unknown command: migrate ${what}.${didYouMean(what, ['finish', 'status'])}\n${usage}`);
  process.exitCode = 2;
}
