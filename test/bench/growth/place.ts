/** The benchmark's server, and the CPU time of what it runs. */
import type { Postgres } from '#store/postgres/pool.ts';
import { createStand } from '../support/servers.ts';
import type { Stand } from '../support/servers.ts';
import { createProcessor } from './processor.ts';
import type { Processor } from './processor.ts';

export interface Place {
  /** The benchmark's processes use the large database unless given another one. */
  stand: Stand;
  /** CPU time of a process and of the database backends that serve it. */
  processorOf: (pid: number, databaseUrl: string) => Processor;
  close: () => Promise<void>;
}

export const createPlace = async (connect: (databaseUrl: string) => Postgres): Promise<Place> => {
  const stand = await createStand();
  const open = new Map<string, Postgres>();
  const postgresOf = (url: string): Postgres => {
    const postgres = open.get(url) ?? connect(url);
    open.set(url, postgres);
    return postgres;
  };
  return {
    stand,
    processorOf: (pid, databaseUrl) => createProcessor([pid], [postgresOf(databaseUrl)]),
    close: async () => {
      for (const postgres of open.values()) await postgres.close();
      // Processes are stopped before the database they use.
      await stand.close();
    },
  };
};
