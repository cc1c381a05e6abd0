/** The guarantees of both queues as tests. Run by pg-boss.test.ts and bull.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UnrecoverableError } from '#domain/errors.ts';
import { defineJob } from '#domain/jobs/port.ts';
import type { JobConsumer, JobContract, JobFunction } from '#domain/jobs/port.ts';
import type { Postgres } from '#data/postgres/pool.ts';
import type { QueueAdapter } from '#data/queue/types.ts';

export interface QueueUnderTest {
  adapter: QueueAdapter;
  postgres: Postgres;
  /** Takes one job of the queue like a worker, with the shortest lease, and vanishes. */
  vanishWith: (jobName: string) => Promise<void>;
  close: () => Promise<void>;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for the condition; fails with the message when it is not met within the limit. */
export const until = async (condition: () => unknown, limitMs: number, message: string): Promise<void> => {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`${message} within ${limitMs} ms`);
    await sleep(10);
  }
};

const payloadSchema = z.object({ n: z.int() });
type Payload = z.output<typeof payloadSchema>;

let names = 0;
/** A separate job for each test, so that tests do not interfere. */
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

  const deadOf = async (job: JobContract) =>
    (await queue.adapter.deadLetters(100)).filter((letter) => letter.job === job.name);

  test('1 a payload arrives unchanged, with its id and attempt', async () => {
    const job = testJob();
    const got: { payload: Payload; id: string; attempt: number }[] = [];
    await serve(
      job,
      async (run) => void got.push({ payload: run.payload, id: run.id, attempt: run.attempt }),
    );
    const id = await send(job, 42);
    await until(() => got.length, 5_000, 'not delivered');
    expect(got).toEqual([{ payload: { n: 42 }, id, attempt: 1 }]);
  });

  test('2 a transaction that rolls back delivers nothing', async () => {
    const job = testJob();
    const got: number[] = [];
    await serve(job, async (run) => void got.push(run.payload.n));
    const failing = queue.postgres.transaction(async (tx) => {
      await queue.adapter.producer.enqueue(tx, job, { n: 1 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await send(job, 2);
    await until(() => got.length, 5_000, 'second job not delivered');
    await sleep(1_500);
    expect(got).toEqual([2]);
  });

  test('3 nothing is delivered before the commit', async () => {
    const job = testJob();
    const deliveredAt: number[] = [];
    await serve(job, async () => void deliveredAt.push(performance.now()));
    let committing = 0;
    await queue.postgres.transaction(async (tx) => {
      await queue.adapter.producer.enqueue(tx, job, { n: 1 });
      await sleep(1_500);
      expect(deliveredAt).toEqual([]);
      committing = performance.now();
    });
    await until(() => deliveredAt.length, 5_000, 'not delivered');
    expect(deliveredAt[0]).toBeGreaterThan(committing);
  });

  test('4 the same dedupe key is delivered once, even after the first job is done', async () => {
    const job = testJob({ dedupeKey: ({ n }) => `key:${n}` });
    const got: number[] = [];
    await serve(job, async (run) => void got.push(run.payload.n));
    await Promise.all([send(job, 7), send(job, 7)]);
    await until(() => got.length, 5_000, 'not delivered');
    await sleep(300);
    await send(job, 7);
    await send(job, 8, { dedupeKey: 'key:7' });
    await send(job, 9);
    await until(() => got.includes(9), 5_000, 'other key not delivered');
    await sleep(1_200);
    expect(got).toEqual([7, 9]);
  });

  test('5 a delay is respected, at most two seconds late', async () => {
    const job = testJob();
    const deliveredAt: number[] = [];
    await serve(job, async () => void deliveredAt.push(performance.now()));
    const sent = performance.now();
    await send(job, 1, { delaySeconds: 2 });
    await until(() => deliveredAt.length, 8_000, 'not delivered');
    const waited = (deliveredAt[0] ?? 0) - sent;
    expect(waited).toBeGreaterThanOrEqual(1_900);
    expect(waited).toBeLessThan(4_000);
  });

  test('6 a failing job is retried with increasing delays, then becomes a dead letter with payload and error; retry restores it', async () => {
    const job = testJob({ attempts: 3 });
    const starts: { at: number; attempt: number }[] = [];
    let broken = true;
    await serve(job, async (run) => {
      starts.push({ at: performance.now(), attempt: run.attempt });
      if (broken) throw new Error(`no luck with ${run.payload.n}`);
    });
    await send(job, 13);
    await until(async () => (await deadOf(job)).length, 20_000, 'no dead letter');
    expect(starts.map((start) => start.attempt)).toEqual([1, 2, 3]);
    const [first = 0, second = 0, third = 0] = starts.map((start) => start.at);
    expect(second - first).toBeGreaterThan(900);
    expect(third - second).toBeGreaterThan(1_900);
    const [letter] = await deadOf(job);
    expect(letter).toMatchObject({ payload: { n: 13 }, error: 'no luck with 13', attempts: 3 });
    broken = false;
    expect(await queue.adapter.retry(letter?.id ?? '')).toBe(true);
    await until(() => starts.length === 4, 5_000, 'not restored');
    await until(async () => (await deadOf(job)).length === 0, 5_000, 'still a dead letter');
    expect(await queue.adapter.retry('00000000-0000-4000-8000-000000000000')).toBe(false);
  });

  test('7 Unrecoverable is not retried', async () => {
    const job = testJob();
    let runs = 0;
    await serve(job, async () => {
      runs++;
      throw new UnrecoverableError('never');
    });
    await send(job, 1);
    await until(async () => (await deadOf(job)).length, 5_000, 'no dead letter');
    await sleep(2_500);
    expect(runs).toBe(1);
    expect((await deadOf(job))[0]?.error).toContain('never');
  });

  test('8 a payload that does not match the schema becomes a dead letter immediately', async () => {
    const job = testJob();
    let runs = 0;
    await serve(job, async () => void runs++);
    const wrong = defineJob({ ...job, payload: z.object({ n: z.string() }), dedupeKey: () => 'wrong' });
    await queue.postgres.transaction((tx) => queue.adapter.producer.enqueue(tx, wrong, { n: 'text' }));
    await until(async () => (await deadOf(job)).length, 5_000, 'no dead letter');
    expect(runs).toBe(0);
    expect((await deadOf(job))[0]?.payload).toEqual({ n: 'text' });
    const refused = queue.postgres.transaction((tx) =>
      queue.adapter.producer.enqueue(tx, wrong, { n: 5 as never }),
    );
    await expect(refused).rejects.toThrow('expected string');
  });

  test('9 200 jobs of 20 ms with 2 slots are done within 6 s', async () => {
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
    await until(() => got.size === 200, 6_000, `only ${got.size} of 200 done`);
    expect(performance.now() - started).toBeLessThan(6_500);
  });

  describe('10 stop', () => {
    test('10 waits for the running job', async () => {
      const job = testJob();
      let started = false;
      let finished = false;
      const consumer = await serve(job, async () => {
        started = true;
        await sleep(800);
        finished = true;
      });
      await send(job, 1);
      await until(() => started, 5_000, 'not started');
      await consumer.stop(5_000);
      expect(finished).toBe(true);
    });

    test('10 aborts its signal when the time limit is over', async () => {
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
      await until(() => started, 5_000, 'not started');
      const before = performance.now();
      await consumer.stop(1_000);
      await until(() => aborted, 1_000, 'not aborted');
      expect(performance.now() - before).toBeLessThan(4_000);
    });
  });

  test('Counts report waiting, delayed and active jobs', async () => {
    const job = testJob();
    await send(job, 1);
    await send(job, 2);
    await send(job, 3, { delaySeconds: 60 });
    const countOf = async () =>
      (await queue.adapter.counts()).find(
        (count) => count.job === job.name && count.waiting + count.delayed + count.active > 0,
      );
    expect(await countOf()).toMatchObject({ waiting: 2, delayed: 1, active: 0, dead: 0 });
    const gate = Promise.withResolvers<void>();
    await serve(job, () => gate.promise);
    await until(async () => (await countOf())?.active === 1, 5_000, 'not active');
    expect(await countOf()).toMatchObject({ waiting: 1, delayed: 1, active: 1 });
    gate.resolve();
  });

  test('11 the job of a vanished worker runs again within 15 s', async () => {
    const job = testJob();
    await send(job, 5);
    await queue.vanishWith(job.name);
    const got: number[] = [];
    await serve(job, async (run) => void got.push(run.payload.n));
    await until(() => got.length, 15_000, 'not run again');
    expect(got).toEqual([5]);
  });

  test('11 a long job whose worker is alive is not taken away', async () => {
    const job = testJob();
    const runs: number[] = [];
    let aborted = false;
    const work: JobFunction<Payload> = async (run) => {
      runs.push(run.attempt);
      await sleep(10_000);
      aborted = run.signal.aborted;
    };
    await serve(job, work);
    await serve(job, work);
    await send(job, 1);
    await sleep(12_000);
    expect(runs).toEqual([1]);
    expect(aborted).toBe(false);
    expect(
      (await queue.adapter.counts()).filter((count) => count.job === job.name && count.active > 0),
    ).toEqual([]);
  });

  test('13 two consumers never run the same job at once', async () => {
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
    await until(() => runs.length >= 100, 10_000, 'not all done');
    await sleep(300);
    expect(together).toBe(0);
    expect(runs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  test('14 jobs are found by their dedupe keys: queued, done, failed; unknown ones are not', async () => {
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
    await until(
      async () =>
        (await queue.adapter.counts()).some((count) => count.job === job.name && count.active === 1),
      5_000,
      'not active',
    );
    expect(await states()).toEqual({ one: 'queued', two: 'queued', three: 'queued' });
    gate.resolve();
    await until(async () => (await states())['two'] === 'failed', 5_000, 'not failed');
    expect(await states()).toEqual({ one: 'done', two: 'failed', three: 'queued' });
    expect(await queue.adapter.find(job, [])).toEqual(new Map());
  });
};
