import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, ConstructorOptions, Db as BossDb } from 'pg-boss';
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { JobConsumer, JobContract, JobProducer, Lane } from '#domain/jobs/port.ts';
import { jobSent } from '#platform/metrics/activities.ts';
import type { JobSent } from '#platform/metrics/activities.ts';
import { sql } from '../postgres/sql.ts';
import type { Tx } from '../postgres/sql.ts';
import { orDatabaseUnavailable } from '../postgres/unavailable.ts';
import { jobIdOf, takeover } from './run-job.ts';
import {
  withTrace,
  deadQueue,
  queueOptionsOf,
  countsOf,
  deadLetterOf,
  deadLettersOf,
  dueQueues,
  findOn,
  mayBeDead,
} from './pg-boss-tables.ts';
import { serve } from './pg-boss-serve.ts';
import type { Queues } from './types.ts';

/**
 * The clock of pg-boss's workers, which compute their sleep until the next poll from times: if they used the wall clock and
 * it was set back two hours, they would sleep for two hours.
 */
const monotonicClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (work, ms) => setTimeout(work, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
  setInterval: (work, ms) => setInterval(work, ms),
  clearInterval: (handle) => clearInterval(handle as NodeJS.Timeout),
};

const { superviseMs, pollMs } = takeover.postgres;
/** Until the next poll after one that failed. */
const afterErrorMs = 1_000;

interface PgBossOptions {
  connectionString: string;
  applicationName: string;
  /** Connection timeout. Default: 2000. */
  waitMs?: number;
  log: Logger;
}

/** pg-boss writes its statements with `$n`; ours are templates, so the text is split at the parameters. */
const templateOf = (text: string, values: readonly unknown[]) => {
  const parts = text.split(/\$(\d+)/);
  const strings = parts.filter((_, i) => i % 2 === 0);
  const used = parts.filter((_, i) => i % 2 === 1).map((n) => values[Number(n) - 1]);
  return sql(Object.assign(strings, { raw: strings }), ...used);
};

/** The caller's transaction in the form pg-boss requires. */
const bossDbOver = (tx: Tx): BossDb => ({
  executeSql: async (text, values = []) => ({ rows: await tx.any(templateOf(text, values)) }),
});

/**
 * pg-boss passes unknown options on to its pool. These end connections to a server that has disappeared without closing
 * them.
 */
const poolTimeouts: object = { query_timeout: 30_000, keepAlive: true };

const startBoss = async (options: PgBossOptions, settings: ConstructorOptions): Promise<PgBoss> => {
  const boss = new PgBoss({
    connectionString: options.connectionString,
    application_name: `${options.applicationName} queue`,
    connectionTimeoutMillis: options.waitMs ?? 2_000,
    ...poolTimeouts,
    schedule: false,
    migrate: false,
    persistWarnings: false,
    clock: monotonicClock,
    ...settings,
  });
  boss.on('error', (error) => options.log.warn({ err: error }, 'queue error'));
  boss.on('warning', (warning) => options.log.warn({ warning }, 'queue warning'));
  await boss.start();
  return boss;
};

const producerOver = (boss: PgBoss): JobProducer<Tx> => {
  const created = new Map<string, Promise<void>>();
  /** Creates the queue of a job, unless there is one; once per process. */
  const createQueue = (job: JobContract): Promise<void> => {
    const known = created.get(job.name);
    if (known) return known;
    const creating = boss.createQueue(job.name, queueOptionsOf(job));
    // A failure is not cached: the next call tries again.
    creating.catch(() => created.delete(job.name));
    created.set(job.name, creating);
    return creating;
  };
  return {
    enqueue: async (tx, job, payload, options = {}) => {
      const parsed = job.payload.parse(payload);
      const dedupeKey = options.dedupeKey ?? job.dedupeKey?.(parsed);
      await orDatabaseUnavailable(createQueue(job));
      const sent: JobSent = { job: job.name, store: 'postgres' };
      return orDatabaseUnavailable(
        jobSent.run(sent, () =>
          boss.send(job.name, withTrace(payload as object, sent.trace), {
            db: bossDbOver(tx),
            ...(dedupeKey === undefined ? {} : { id: jobIdOf(job.name, dedupeKey) }),
            ...(options.delaySeconds === undefined ? {} : { startAfter: options.delaySeconds }),
          }),
        ),
      );
    },
  };
};

/**
 * Takes no more jobs of these queues and waits for the running ones, which are returned to the queue after the
 * time limit. The graceful stop of pg-boss only checks every 500 ms whether they are done.
 */
const stopServing = async (boss: PgBoss, names: readonly string[], timeoutMs: number): Promise<void> => {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  await Promise.race([Promise.all(names.map((name) => boss.offWork(name))), late.promise]);
  clearTimeout(timer);
  await boss.stop({ graceful: false });
};

const createConsumer = async (options: PgBossOptions): Promise<JobConsumer> => {
  const boss = await startBoss(options, {
    max: 10,
    supervise: true,
    superviseIntervalSeconds: superviseMs / 1_000,
    monitorIntervalSeconds: superviseMs / 1_000,
    // Deletes finished jobs.
    maintenanceIntervalSeconds: 600,
  });
  /** Ids of the workers of each queue. */
  const workers = new Map<string, string[]>();
  const ending = new AbortController();
  const { signal } = ending;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
  /** The only poll: one statement for all queues instead of one for each worker. */
  const wakeDue = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        for (const name of await dueQueues(boss, [...workers.keys()]))
          workers.get(name)?.forEach((id) => boss.notifyWorker(id));
        await pause(pollMs);
      } catch (error) {
        if (!signal.aborted) options.log.warn({ err: error }, 'queue error');
        await pause(afterErrorMs);
      }
    }
  };
  void wakeDue();
  let stopping: Promise<void> | undefined;
  return {
    consume: async (lane: Lane, handlers, concurrency) => {
      for (const handler of handlers.filter(({ contract }) => contract.lane === lane)) {
        const { name } = handler.contract;
        await boss.createQueue(name, queueOptionsOf(handler.contract));
        // An earlier version may have created it with other settings.
        await boss.updateQueue(name, queueOptionsOf(handler.contract));
        workers.set(name, await serve(boss, handler, concurrency, options.log));
      }
    },
    stop: (timeoutMs) => {
      ending.abort();
      stopping ??= stopServing(boss, [...workers.keys()], timeoutMs);
      return stopping;
    },
  };
};

/**
 * Jobs in the application's own database: enqueued inside the caller's transaction, so they commit or roll back
 * with it.
 */
export const createPgBossAdapter = async (options: PgBossOptions): Promise<Queues> => {
  // A separate small pool: creating a queue must never wait for connections with open transactions.
  const boss = await startBoss(options, { max: 2, supervise: false });
  return {
    producer: producerOver(boss),
    createConsumer: () => createConsumer(options),
    deadLetters: (limit = 100) => deadLettersOf(boss, limit),
    deadLetter: (id) => deadLetterOf(boss, id),
    retry: async (tx, id) =>
      mayBeDead(id) && (await boss.redrive(deadQueue, { ids: [id], db: bossDbOver(tx) })) > 0,
    discard: async (tx, id) => {
      if (!mayBeDead(id)) return false;
      // The types of pg-boss omit its results.
      const answer = await boss.deleteJob(deadQueue, id, { db: bossDbOver(tx) });
      return 'affected' in answer && answer.affected === 1;
    },
    counts: () => countsOf(boss),
    find: findOn(boss),
    close: () => boss.stop({ graceful: false }),
  };
};

/** Installs or upgrades the tables of pg-boss; part of every migration. */
export const migrateQueues = async (connectionString: string): Promise<void> => {
  const boss = new PgBoss({
    connectionString,
    application_name: 'migrate-queue',
    supervise: false,
    schedule: false,
  });
  const failures: Error[] = [];
  boss.on('error', (error) => failures.push(error));
  await boss.start();
  try {
    await boss.createQueue(deadQueue);
  } finally {
    await boss.stop({ graceful: false });
  }
  if (failures.length > 0) throw new AggregateError(failures, 'the queue tables could not be installed');
};
