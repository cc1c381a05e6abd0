/** A process that runs a feed of words from `WORDS_URL` from one of the queues. Started by takeover.test.ts. */
import { readConfig } from '#platform/config/config.ts';
import { createContext } from '#data/context.ts';
import { createBullAdapter } from '#store/queue/bull.ts';
import { createPgBossAdapter } from '#store/queue/pg-boss.ts';
import { defineFeed } from '#scheduler/define-feed.ts';
import { feedRunHandler } from '#scheduler/feed-jobs.ts';

const { WORDS_URL = '', DATABASE_URL = '', REDIS_URL } = process.env;

const words = defineFeed<string, string[]>({
  name: 'words',
  schedule: '0 4 * * *',
  graceMinutes: 1_500,
  staleMinutes: 3_000,
  timeoutSeconds: 600,
  maxBytes: 1_000,
  guards: { compareWith: 'lastRun' },
  sources: (scope) => [
    {
      label: 'words',
      read: async () => {
        const fetched = await scope.fetch(`${WORDS_URL}?pid=${process.pid}`);
        return fetched.kind === 'data' ? fetched.bytes.toString() : null;
      },
    },
  ],
  parse: (raw) => {
    const records = raw.split(' ');
    return { records, count: records.length, rejects: [] };
  },
  store: async (_tx, records) => records.length,
});

const context = await createContext(readConfig(process.env), 'scheduler');
const boss = await createPgBossAdapter({
  connectionString: DATABASE_URL,
  applicationName: 'test',
  log: context.log,
});
const adapter =
  REDIS_URL === undefined
    ? boss
    : await createBullAdapter({
        redisUrl: REDIS_URL,
        lanes: new Set(['ingest']),
        fallback: boss,
        log: context.log,
        waitMs: 30_000,
      });
const consumer = await adapter.createConsumer();
await consumer.consume('ingest', [feedRunHandler(context, new Map([[words.name, words]]))], 1);
process.send?.('ready');
