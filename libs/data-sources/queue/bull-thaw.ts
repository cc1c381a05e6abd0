import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';

const lookEveryMs = 5_000;
/** The wall clock of a host is corrected in steps smaller than this all the time. */
const stepMs = 1_000;

export interface Thaw {
  watch: (queue: string) => void;
  stop: () => void;
}

/** Milliseconds by which the wall clock leads the monotonic one: constant until the wall clock is set. */
const lead = (): number => Date.now() - performance.now();

/**
 * BullMQ keeps the time of a delayed job's next attempt by the wall clock. When that is found to have gone back, and
 * at the start, jobs from the future are tried immediately: they would otherwise wait for the length of the step.
 */
export const startThaw = (redis: Redis, prefix: string, log: Logger): Thaw => {
  const queues = new Map<string, Queue>();
  let lastLead = lead();

  const thaw = async (queue: Queue) => {
    const latest = Date.now() + stepMs;
    for (const job of await queue.getDelayed()) {
      if (Math.max(job.timestamp, job.processedOn ?? 0) <= latest) continue;
      await job.promote();
      log.warn({ job: queue.name, id: job.id }, 'the clock has gone back, the job continues');
    }
  };
  const thawOrLog = (queue: Queue) =>
    thaw(queue).catch((error: unknown) => {
      // Another worker may have taken the job meanwhile; what remains is found at the next step or start.
      log.warn({ job: queue.name, err: error }, 'delayed jobs could not be checked');
    });

  const timer = setInterval(() => {
    const now = lead();
    const hasGoneBack = now < lastLead - stepMs;
    lastLead = now;
    if (hasGoneBack) for (const queue of queues.values()) void thawOrLog(queue);
  }, lookEveryMs);
  timer.unref();

  return {
    watch: (name) => {
      const queue = new Queue(name, { connection: redis, prefix });
      queue.on('error', (error) => log.debug({ err: error, queue: name }, 'redis queue error'));
      queues.set(name, queue);
      void thawOrLog(queue);
    },
    stop: () => clearInterval(timer),
  };
};
