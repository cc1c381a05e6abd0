/**
 * `npm run migrate`: migrates the database of DATABASE_URL (or the embedded one) to the schema of this version.
 */
import { ConfigError } from '#data/config.ts';
import { openConfig } from '#data/embedded/open.ts';
import { prepareDatabase } from '#data/prepare.ts';

try {
  const { config, close } = await openConfig();
  try {
    const ran = await prepareDatabase(config.DATABASE_URL);
    console.log(ran.length === 0 ? 'The database is up to date.' : `Ran ${ran.join(', ')}.`);
  } finally {
    await close();
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `Migration failed: ${String(error)}`);
  process.exitCode = 1;
}
