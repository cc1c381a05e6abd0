import { migrateQueues } from '#store/queue/pg-boss.ts';

/**
 * Content of the template beyond the migrations: the tables of the queue. Rows of migrations (products,
 * gateways, networks) already exist; tests create users and keys.
 */
export const seedTemplate = (url: string): Promise<void> => migrateQueues(url);
