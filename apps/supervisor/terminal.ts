/** What `npm start` says to a reader besides its log. */
import { version } from '#platform/command-line.ts';
import type { Config } from '#platform/config/config.ts';
import { hostOf } from '#platform/config/database-url.ts';
import { logFormatOf } from '#platform/log/log.ts';

export interface Announcer {
  starting: () => void;
  /** The `ready` line is the same everywhere: scripts wait for it. */
  ready: (address: string) => void;
  stopping: () => void;
}

const forReader = ({ DATA_DIR, DATABASE_URL }: Config, isEmbedded: boolean): Announcer => {
  const database = isEmbedded ? `Postgres in ${DATA_DIR}` : hostOf(DATABASE_URL);
  return {
    starting: () => console.log(`efb-backend ${version}, ${database}: starting …`),
    ready: (address) => {
      console.log(`ready ${address}`);
      console.log(`      docs ${address}/docs, status ${address}/status`);
      console.log('      Ctrl-C stops everything');
    },
    stopping: () => console.log('stopping …, Ctrl-C again ends at once'),
  };
};

const nothing = () => undefined;

/** On a terminal a few lines of where everything is; elsewhere, among JSON, only the `ready` line. */
export const createAnnouncer = (config: Config, isEmbedded: boolean): Announcer =>
  logFormatOf(config.LOG_FORMAT) === 'pretty'
    ? forReader(config, isEmbedded)
    : { starting: nothing, ready: (address) => console.log(`ready ${address}`), stopping: nothing };
