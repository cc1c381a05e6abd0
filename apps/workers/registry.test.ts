import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineJob } from '#domain/jobs/port.ts';
import type { JobContract } from '#domain/jobs/port.ts';
import { fileOf, loadWorkerJobs, problemsOf } from './registry.ts';

const contract = (name: string, more: Partial<JobContract> = {}): JobContract =>
  defineJob<z.ZodType>({
    name,
    lane: 'durable',
    payload: z.object({}),
    attempts: 1,
    backoffSeconds: 1,
    timeoutSeconds: 1,
    keepFailedDays: 1,
    ...more,
  });

describe('job registry', () => {
  test('Every contract has one handler, in the file of the same name', async () => {
    const names = (await loadWorkerJobs()).map(({ contract: { name } }) => name);
    expect(names).toEqual(expect.arrayContaining(['graphic.render', 'mail.send', 'sweep.logs']));
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain('feed.run');
  });

  test('Every mismatch is reported', () => {
    const a = contract('a.one');
    const b = contract('b.two');
    expect(problemsOf([{ file: 'a-one.ts', contract: a }], [a])).toEqual([]);
    expect(problemsOf([{ file: 'a-one.ts', contract: a }], [a, b])).toEqual([
      'b.two has no handler: write jobs/b-two.ts',
    ]);
    expect(problemsOf([{ file: 'other.ts', contract: a }], [a])[0]).toContain(fileOf('a.one'));
    expect(problemsOf([{ file: 'b-two.ts', contract: b }], [])[0]).toContain('no contract b.two');
    expect(problemsOf([{ file: 'a-one.ts', contract: a }], [a, contract('a.one')])).toContain(
      'a.one has two contracts',
    );
    const requeue = { everySeconds: 15, lostAfterSeconds: 5 };
    const onRedis = contract('a.one', { lane: 'compute', requeue });
    expect(problemsOf([{ file: 'a-one.ts', contract: onRedis }], [onRedis])).toEqual([]);
    for (const late of [undefined, { everySeconds: 15, lostAfterSeconds: 6 }]) {
      const lost = contract('a.one', { lane: 'compute', ...(late && { requeue: late }) });
      expect(problemsOf([{ file: 'a-one.ts', contract: lost }], [lost])).toEqual([
        'a.one may be lost with Redis: requeue it within 30 s',
      ]);
    }
    const feed = contract('feed.run');
    expect(problemsOf([{ file: 'feed-run.ts', contract: feed }], [feed])[0]).toContain('scheduler');
  });
});
