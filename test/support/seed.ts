import { migrateQueues } from '#store/queue/pg-boss.ts';

/**
 * Contents of the template database besides the migrations: the queue's tables. Migrations already insert products,
 * gateways and networks; tests create users and keys.
 */
export const seedTemplate = (url: string): Promise<void> => migrateQueues(url);
