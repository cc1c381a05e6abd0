import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, readConfig, variableTypos } from '#platform/config/config.ts';
import type { Config } from '#platform/config/config.ts';
import { readRunning } from '#platform/embedded/running.ts';
import { createLogger } from '#platform/log/log.ts';
import { withClient } from '#store/postgres/client.ts';
import { prepareDatabase, startServiceDatabase } from '#store/service-database.ts';
import { seedDatabase } from '#operator/seed.ts';

/** Whether a database answers; if false, the caller starts it. */
const answers = (url: string): Promise<boolean> =>
  withClient(url, 'open', (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  );

interface Opened {
  config: Config;
  close: () => Promise<void>;
}

/**
 * Configuration with a usable database for a command-line tool: DATABASE_URL, else that of the
 * service running on DATA_DIR, else the embedded one, started (and migrated, unless `prepares` is false) for the tool
 * and stopped by `close`. Without a database this is a `ConfigError`: only the service creates one.
 */
export const openConfig = async (
  env: Record<string, string | undefined> = process.env,
  { prepares = true }: { prepares?: boolean } = {},
): Promise<Opened> => {
  const noop = async () => {};
  for (const sentence of variableTypos(env)) process.stderr.write(`${sentence}\n`);
  if (env['DATABASE_URL']) return { config: readConfig(env), close: noop };
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  const running = readRunning(dataDir);
  if (running && (await answers(running.databaseUrl))) {
    return { config: readConfig(env, running.databaseUrl), close: noop };
  }
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new ConfigError([
      `DATA_DIR: there is no database in ${dataDir}; start the service once (npm start), or set DATA_DIR or DATABASE_URL`,
    ]);
  const { server, url } = await startServiceDatabase(dataDir);
  try {
    const config = readConfig(env, url);
    if (prepares) {
      await prepareDatabase(config);
      await seedDatabase(config, createLogger('seed', 'warn'));
    }
    return { config, close: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
};
