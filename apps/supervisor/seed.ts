/** Fills a new database with airports and the account of `/try`, then ends: the memory that reading them takes is not kept by the supervisor. */
import { createGuestAccount } from '#commands/users/create-guest-account.ts';
import { readConfig } from '#platform/config/config.ts';
import { directly } from '#platform/config/direct.ts';
import { createLogger } from '#platform/log/log.ts';
import { seedDatabase } from '#data/seed.ts';

const config = directly(readConfig(process.env));
const log = createLogger('supervisor', config.LOG_LEVEL, { format: config.LOG_FORMAT });
await seedDatabase(config, log, createGuestAccount);
