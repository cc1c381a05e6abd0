/** Fills a new database with airports, then ends: the memory that reading them takes is not kept by the supervisor. */
import { readConfig } from '#data/config.ts';
import { createLogger } from '#data/log.ts';
import { seedDatabase } from '#data/seed.ts';

const config = readConfig(process.env);
await seedDatabase(config, createLogger('supervisor', config.LOG_LEVEL));
