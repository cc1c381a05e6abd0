import { createGuestAccount } from '#commands/users/accounts.ts';
import type { Context } from '#data/context.ts';
import type { VaRow } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { passwords } from '#store/auth/passwords.ts';
import { newSecret } from '#store/auth/secrets.ts';
import type { Config } from '#platform/config/config.ts';
import { airportSeedRepo, airportSeedWrites } from '#store/postgres/airports/import.ts';
import { airportWrites } from '#store/postgres/airports/import.ts';
import { airportTurnWrites } from '#store/postgres/airports/rows.ts';
import { feedWrites } from '#store/postgres/feeds/feeds.ts';
import { developerKeyRepo } from '#store/postgres/developer-keys/developer-keys.ts';
import { createPostgres } from '#store/postgres/pool.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';

const partner = {
  logo: null,
  logoDark: null,
  logoWhite: null,
  isPartner: true,
  legacyName: null,
  libraryQuotaMb: 0,
};

/** Fictional partner airlines: one with a single logo, two with a pair of logos. */
const demoPartners: readonly Omit<VaRow, 'id'>[] = [
  {
    ...partner,
    name: 'Northern Lights Virtual',
    website: 'https://northernlights.example',
    contactEmail: 'crew@northernlights.example',
    logo: 'https://northernlights.example/logo.svg',
    legacyName: 'NORTHERN_LIGHTS',
  },
  {
    ...partner,
    name: 'Meridian Virtual Airways',
    website: 'https://meridian.example',
    contactEmail: 'ops@meridian.example',
    logoDark: 'https://meridian.example/logo-dark.svg',
    logoWhite: 'https://meridian.example/logo-white.svg',
  },
  {
    ...partner,
    name: 'Harbour Island Air',
    website: 'https://harbourisland.example',
    contactEmail: 'hello@harbourisland.example',
    logoDark: 'https://harbourisland.example/logo-dark.svg',
    logoWhite: 'https://harbourisland.example/logo-white.svg',
  },
];

type SeedConfig = Pick<Config, 'DATABASE_URL' | 'ENCRYPTION_KEYS' | 'SEED_DEMO' | 'TRY_DEVELOPER_KEY'>;

/**
 * Fills the airport table of a new database from the npm packages, so that a machine without a network can
 * calculate. Returns the number of airports, 0 when the table was not empty.
 */
export const seedAirports = async (postgres: Postgres, now: Date): Promise<number> => {
  // Usually the table is filled already, so the check takes no lock and reads no file.
  if (!(await airportSeedRepo(postgres.db).isWanted())) return 0;
  // Loads airports worldwide into memory.
  const { readSeedAirports } = await import('#data/feeds/airports/import.ts');
  const { date, bySource } = await readSeedAirports(now);
  return postgres.transaction(async (tx) => {
    await airportTurnWrites(tx).take();
    // Another process may have filled it first.
    if (!(await airportSeedRepo(tx).isWanted())) return 0;
    for (const { source, airports } of bySource)
      await airportWrites(tx).storeImport(airports, { source, at: now });
    const count = bySource.reduce((sum, { airports }) => sum + airports.length, 0);
    await airportSeedWrites(tx).analyze();
    await feedWrites(tx).seeded({ feed: 'airports', date, count });
    return count;
  });
};

/** Adds missing fictional partner airlines of the demo. */
export const seedPartners = (postgres: Postgres): Promise<number> =>
  postgres.transaction((tx) => vaWrites(tx).addMissing(demoPartners));

/** Account for the calculator at `/try`. Its password is random, as the service issues the tokens itself. */
const seedGuest = async (postgres: Postgres, config: SeedConfig): Promise<boolean> => {
  const { TRY_DEVELOPER_KEY: key } = config;
  if (key === undefined || (await developerKeyRepo(postgres.db).isKnown(key))) return false;
  const passwordHash = await passwords.hash(newSecret());
  const deps = { clock: { now: () => new Date() }, config };
  return postgres.transaction((tx) => createGuestAccount(tx, deps, { key, passwordHash }));
};

/** Initial contents of a migrated database. Safe to run in several processes at once. */
export const seedDatabase = async (
  config: SeedConfig,
  log: Context['log'],
): Promise<{ airports: number; partners: number; isGuestCreated: boolean }> => {
  const postgres = createPostgres(
    { connectionString: config.DATABASE_URL, applicationName: 'seed', max: 2, statementTimeoutMs: 60_000 },
    log,
  );
  try {
    const startedAt = performance.now();
    const airports = await seedAirports(postgres, new Date());
    const partners = config.SEED_DEMO ? await seedPartners(postgres) : 0;
    const isGuestCreated = await seedGuest(postgres, config);
    const durationMs = Math.round(performance.now() - startedAt);
    if (airports + partners > 0) log.info({ airports, partners, durationMs }, 'database seeded');
    return { airports, partners, isGuestCreated };
  } finally {
    await postgres.close();
  }
};
