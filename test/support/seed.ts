import { migrateQueues } from '#data/queue/pg-boss.ts';

/**
 * What the template holds beyond the migrations: the tables of the queue. Rows of migrations (products,
 * gateways, networks) are there already; a test makes its own users and keys.
 */
export const seedTemplate = (url: string): Promise<void> => migrateQueues(url);
