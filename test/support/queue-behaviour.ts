/** The guarantees of both queues, as tests run by pg-boss.test.ts and bull.test.ts. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UnavailableError, UnrecoverableError } from '#domain/errors.ts';
import { defineJob } from '#domain/jobs/port.ts';
import type { JobConsumer, JobContract, JobFunction } from '#domain/jobs/port.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { Queues, QueueCount } from '#store/queue/types.ts';
import { until } from './until.ts';

export interface QueueUnderTest {
  adapter: Queues;
  postgres: Postgres;
  /** Takes a job like a worker, with the shortest lease, and vanishes. */
  vanishWith: (jobName: string) => Promise<void>;
  close: () => Promise<void>;
}

const payloadSchema = z.object({ n: z.int() });
type Payload = z.output<typeof payloadSchema>;
let names = 0;
/** Each test has a job of its own, so that tests do not interfere. */
export const testJob = (overrides: Partial<JobContract<typeof payloadSchema>> = {}) =>
  defineJob({
    name: `test.job${++names}`,
    lane: 'compute',
    payload: payloadSchema,
    attempts: 3,
    backoffSeconds: 1,
    timeoutSeconds: 30,
    keepFailedDays: 7,
    ...overrides,
  });

export const queueBehaviour = (open: () => Promise<QueueUnderTest>): void => {
  let queue: QueueUnderTest;
  const consumers: JobConsumer[] = [];

  beforeAll(async () => {
    queue = await open();
  });
  afterAll(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop(1_000)));
    await queue.close();
  });

  const send = (job: JobContract<typeof payloadSchema>, n: number, options = {}) =>
    queue.postgres.transaction((tx) => queue.adapter.producer.enqueue(tx, job, { n }, options));

  const settle = (verb: 'retry' | 'discard', id: string) =>
    queue.postgres.transaction((tx) => queue.adapter[verb](tx, id));

  const serve = async (
    job: JobContract<typeof payloadSchema>,
    run: JobFunction<Payload>,
    concurrency = 1,
  ) => {
    const consumer = await queue.adapter.createConsumer();
    consumers.push(consumer);
    await consumer.consume(
      job.lane,
      [
        {
          contract: job,
          run: (delivery) => run({ ...delivery, payload: payloadSchema.parse(delivery.payload) }),
        },
      ],
      concurrency,
    );
    return consumer;
  };

  const countOf = async (job: JobContract): Promise<Pick<QueueCount, 'waiting' | 'delayed' | 'active'>> => {
    const total = { waiting: 0, delayed: 0, active: 0 };
    const counts = await queue.adapter.counts();
    for (const count of counts.filter((each) => each.job === job.name)) {
      total.waiting += count.waiting;
      total.delayed += count.delayed;
      total.active += count.active;
    }
    return total;
  };
  const isIdle = async (job: JobContract): Promise<boolean> => {
    const { waiting, delayed, active } = await countOf(job);
    return waiting + delayed + active === 0;
  };

  const deadOf = async (job: JobContract) =>
    (await queue.adapter.deadLetters(100)).filter((letter) => letter.job === job.name);

  test('Case 1: a payload arrives unchanged, with its id and attempt', async () => {
    const job = testJob();
    const got: { payload: Payload; id: string; attempt: number }[] = [];
    await serve(job, async ({ payload, id, attempt }) => void got.push({ payload, id, attempt }));
    const id = await send(job, 42);
    await until('it is delivered', () => got.length);
    expect(got).toEqual([{ payload: { n: 42 }, id, attempt: 1 }]);
  });

  test('Case 2: a transaction that rolls back delivers nothing', async () => {
    const job = testJob();
    const got: number[] = [];
    await serve(job, async (run) => void got.push(run.payload.n));
    const failing = queue.postgres.transaction(async (tx) => {
      await queue.adapter.producer.enqueue(tx, job, { n: 1 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await send(job, 2);
    await send(job, 3);
    await until('what was committed is done', async () => got.includes(3) && (await isIdle(job)));
    expect(got).toEqual([2, 3]);
  });

  test('Case 3: nothing is delivered before the commit', async () => {
    const job = testJob();
    const got: number[] = [];
    await serve(job, async (run) => void got.push(run.payload.n));
    await queue.postgres.transaction(async (tx) => {
      await queue.adapter.producer.enqueue(tx, job, { n: 1 });
      // A later job, committed at once, is delivered first.
      await send(job, 2);
      await until('the later one is done', async () => got.includes(2) && (await countOf(job)).active === 0);
      expect(got).toEqual([2]);
    });
    await until('it is delivered', () => got.includes(1));
    expect(got).toEqual([2, 1]);
  });

  test('Case 4: the same dedupe key is delivered once, even after the first job is done', async () => {
    const job = testJob({ dedupeKey: ({ n }) => `key:${n}` });
    const got: number[] = [];
    await serve(job, async (run) => void got.push(run.payload.n));
    await Promise.all([send(job, 7), send(job, 7)]);
    await until(
      'the first job is done',
      async () => (await queue.adapter.find(job, ['key:7'])).get('key:7') === 'done',
    );
    await send(job, 7);
    await send(job, 8, { dedupeKey: 'key:7' });
    await send(job, 9);
    await until('all are done', async () => got.includes(9) && (await isIdle(job)));
    expect(got).toEqual([7, 9]);
  });

  test('Case 7: an Unrecoverable error is not retried', async () => {
    const job = testJob();
    let runs = 0;
    await serve(job, async () => {
      runs++;
      throw new UnrecoverableError('never');
    });
    await send(job, 1);
    await until('it is a dead letter', async () => (await deadOf(job)).length);
    // Nor is it waiting for a retry; its run may end shortly after the dead letter appears.
    await until('nothing waits', () => isIdle(job));
    expect(runs).toBe(1);
    const { id = '', error } = (await deadOf(job))[0] ?? {};
    expect([error, (await queue.adapter.deadLetter(id))?.error]).toEqual(['never', 'never']);
    expect([await settle('discard', id), await settle('discard', id)]).toEqual([true, false]);
    expect(await queue.adapter.deadLetter(id)).toBeNull();
  });

  test('Case 8: a payload that does not match the schema becomes a dead letter immediately', async () => {
    const job = testJob();
    let runs = 0;
    await serve(job, async () => void runs++);
    const wrong = defineJob({ ...job, payload: z.object({ n: z.string() }), dedupeKey: () => 'wrong' });
    await queue.postgres.transaction((tx) => queue.adapter.producer.enqueue(tx, wrong, { n: 'text' }));
    await until('it is a dead letter', async () => (await deadOf(job)).length);
    expect(runs).toBe(0);
    expect((await deadOf(job))[0]?.payload).toEqual({ n: 'text' });
    const enqueue = (tx: Tx) => queue.adapter.producer.enqueue(tx, wrong, { n: 5 as never });
    await expect(queue.postgres.transaction(enqueue)).rejects.toThrow('expected string');
  });

  test('Case 9: jobs follow one another without waiting for the next poll', async () => {
    const job = testJob();
    const got = new Set<number>();
    await serve(
      job,
      async (run) => {
        await sleep(20);
        got.add(run.payload.n);
      },
      2,
    );
    const started = performance.now();
    await queue.postgres.transaction(async (tx) => {
      for (let n = 0; n < 200; n++) await queue.adapter.producer.enqueue(tx, job, { n });
    });
    await until('all are done', () => got.size === 200);
    // 3 s on an idle machine; a poll for each would take 20 s.
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  describe('10 stopping', () => {
    test('Case 10: a stop waits for the running job', async () => {
      const job = testJob();
      const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const order: string[] = [];
      const consumer = await serve(job, async () => {
        started.resolve();
        await gate.promise;
        order.push('finished');
      });
      await send(job, 1);
      await started.promise;
      const stopped = consumer.stop(60_000).then(() => void order.push('stopped'));
      await sleep(300);
      gate.resolve();
      await stopped;
      expect(order).toEqual(['finished', 'stopped']);
    });

    test('Case 10: a stop aborts the job’s signal when the time limit is over', async () => {
      const job = testJob();
      let started = false;
      let aborted = false;
      const consumer = await serve(job, async (run) => {
        started = true;
        await new Promise<void>((resolve) => run.signal.addEventListener('abort', () => resolve()));
        aborted = true;
        throw new Error('stopped in the middle');
      });
      await send(job, 1);
      await until('it has started', () => started);
      expect(aborted).toBe(false);
      await consumer.stop(1_000);
      await until('its signal is aborted', () => aborted);
    });
  });

  test('Counts report waiting, delayed and active jobs', async () => {
    const job = testJob();
    await send(job, 1);
    await send(job, 2);
    await send(job, 3, { delaySeconds: 60 });
    expect(await countOf(job)).toEqual({ waiting: 2, delayed: 1, active: 0 });
    expect(await deadOf(job)).toEqual([]);
    const gate = Promise.withResolvers<void>();
    await serve(job, () => gate.promise);
    await until('it is active', async () => (await countOf(job)).active === 1);
    expect(await countOf(job)).toEqual({ waiting: 1, delayed: 1, active: 1 });
    gate.resolve();
  });

  describe.concurrent('waiting jobs', () => {
    test('Case 5: a delay is respected', async () => {
      const job = testJob();
      const deliveredAt: number[] = [];
      await serve(job, async () => void deliveredAt.push(performance.now()));
      const sent = performance.now();
      await send(job, 1, { delaySeconds: 2 });
      await until('it is delivered', () => deliveredAt.length);
      const waited = (deliveredAt[0] ?? 0) - sent;
      expect(waited).toBeGreaterThanOrEqual(1_900);
      expect(waited).toBeLessThan(20_000);
    });

    test('Case 6: a failing job is retried with increasing delays, then becomes a dead letter with payload and error; retry restores it', async () => {
      const job = testJob({ attempts: 3 });
      const starts: { at: number; attempt: number }[] = [];
      let broken = true;
      await serve(job, async (run) => {
        starts.push({ at: performance.now(), attempt: run.attempt });
        if (broken) throw new Error(`no luck with ${run.payload.n}`);
      });
      await send(job, 13);
      await until('it is a dead letter', async () => (await deadOf(job)).length);
      expect(starts.map((start) => start.attempt)).toEqual([1, 2, 3]);
      const [first = 0, second = 0, third = 0] = starts.map((start) => start.at);
      expect(second - first).toBeGreaterThan(900);
      expect(third - second).toBeGreaterThan(1_900);
      const [letter] = await deadOf(job);
      expect(letter).toMatchObject({ payload: { n: 13 }, error: 'no luck with 13', attempts: 3 });
      broken = false;
      expect(await settle('retry', letter?.id ?? '')).toBe(true);
      await until('it runs again', () => starts.length === 4);
      await until('the dead letter is gone', async () => (await deadOf(job)).length === 0);
      expect(await settle('retry', randomUUID())).toBe(false);
    });

    test('Case 7: a job that cannot run now runs again later, however often, and never becomes a dead letter', async () => {
      const job = testJob({ attempts: 2 });
      const attempts: number[] = [];
      await serve(job, async (run) => {
        attempts.push(run.attempt);
        if (attempts.length <= 3)
          throw new UnavailableError('the disk', { reason: 'full', code: 'ENOSPC', retryAfterSeconds: 1 });
      });
      await send(job, 1);
      await until('it is done', async () => attempts.length === 4 && (await isIdle(job)));
      expect(attempts).toEqual([1, 1, 1, 1]);
      expect(await deadOf(job)).toEqual([]);
    });

    test('Case 11: a job whose worker has died runs again', async () => {
      const job = testJob();
      await send(job, 5);
      await queue.vanishWith(job.name);
      const got: number[] = [];
      await serve(job, async (run) => void got.push(run.payload.n));
      // Within 15 s on an idle machine.
      await until('it runs again', () => got.length, 45_000);
      expect(got).toEqual([5]);
    });

    test('Case 11: a long job whose worker is alive is not reassigned', async () => {
      const job = testJob();
      const runs: number[] = [];
      const aborted: boolean[] = [];
      const work: JobFunction<Payload> = async (run) => {
        runs.push(run.attempt);
        await sleep(10_000);
        aborted.push(run.signal.aborted);
      };
      await serve(job, work);
      await serve(job, work);
      await send(job, 1);
      await until('it is done', async () => aborted.length > 0 && (await isIdle(job)));
      expect(runs).toEqual([1]);
      expect(aborted).toEqual([false]);
    });
  });

  test('Case 13: two consumers never run the same job at once', async () => {
    const job = testJob();
    const running = new Set<number>();
    const runs: number[] = [];
    let together = 0;
    const work: JobFunction<Payload> = async ({ payload: { n } }) => {
      if (running.has(n)) together++;
      running.add(n);
      await sleep(5);
      runs.push(n);
      running.delete(n);
    };
    await serve(job, work, 2);
    await serve(job, work, 2);
    await queue.postgres.transaction(async (tx) => {
      for (let n = 0; n < 100; n++) await queue.adapter.producer.enqueue(tx, job, { n });
    });
    await until('all are done', async () => runs.length >= 100 && (await isIdle(job)));
    expect(together).toBe(0);
    expect(runs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  test('Case 14: jobs are found by their dedupe keys: queued, done, failed; unknown ones are not', async () => {
    const job = testJob({ attempts: 1 });
    const keys = ['one', 'two', 'three', 'never'];
    const states = async () => Object.fromEntries(await queue.adapter.find(job, keys));
    expect(await states()).toEqual({});
    for (const [n, dedupeKey] of ['one', 'two'].entries()) await send(job, n, { dedupeKey });
    await send(job, 2, { dedupeKey: 'three', delaySeconds: 60 });
    expect(await states()).toEqual({ one: 'queued', two: 'queued', three: 'queued' });
    const gate = Promise.withResolvers<void>();
    await serve(job, async ({ payload: { n } }) => {
      await gate.promise;
      if (n === 1) throw new Error('no luck');
    });
    await until('it is active', async () => (await countOf(job)).active === 1);
    expect(await states()).toEqual({ one: 'queued', two: 'queued', three: 'queued' });
    gate.resolve();
    await until('it has failed', async () => (await states())['two'] === 'failed');
    expect(await states()).toEqual({ one: 'done', two: 'failed', three: 'queued' });
    expect(await queue.adapter.find(job, [])).toEqual(new Map());
  });
};
