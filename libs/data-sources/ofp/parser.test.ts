import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { UnavailableError } from '#domain/errors.ts';
import { planText } from '#test/support/ofp.ts';
import { ParserBusyError, createOfpParser } from './parser.ts';
import type { ParserLimits } from './parser.ts';

/** For tests without limits of their own. */
const usual = createOfpParser();
let parser = usual;
afterEach(async () => {
  if (parser !== usual) await parser.close();
  parser = usual;
});
afterAll(() => usual.close());
const create = (limits: Partial<ParserLimits>) => {
  parser = createOfpParser(limits);
};
let accounts = 0;
/** Parses for another account each time. */
const parse = (content: string | Uint8Array, account = (accounts += 1)) =>
  parser.parse(account, { content, keepNotams: true });
const plan = planText({ fixes: 2 });

describe('the plan reader thread', () => {
  test('Simultaneous plans are read one after the other, each with its own result', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `id${i}`);
    const results = await Promise.all(ids.map((requestId) => parse(planText({ fixes: 2, requestId }))));
    expect(results.map((result) => (result.kind === 'plan' ? result.requestId : null))).toEqual(ids);
  });

  test('A document that takes too long is refused, and another thread reads the next one', async () => {
    create({ documentMs: 1 });
    const long = planText({ notamCharacters: 480_000 }, 'xml');
    for (let i = 0; i < 2; i += 1) {
      const slow = await parse(long);
      expect(slow).toMatchObject({ kind: 'other', problem: expect.stringContaining('more time or memory') });
    }
  });

  test('After a thread has failed, another one reads the next document', async () => {
    const bug = { length: 4 } as never;
    await expect(parse(bug)).rejects.toThrow(TypeError);
    expect((await parse(plan)).kind).toBe('plan');
  });

  test('Documents are read in order of arrival, at most two per account', async () => {
    const order: string[] = [];
    const read = (name: string, account: number) => parse(plan, account).then(() => order.push(name));
    const first = [read('a1', 1), read('b1', 2), read('a2', 1), read('c1', 3)];
    await expect(parse(plan, 1)).rejects.toBeInstanceOf(ParserBusyError);
    await Promise.all(first);
    expect(order).toEqual(['a1', 'b1', 'a2', 'c1']);
    expect((await parse(plan, 1)).kind).toBe('plan');
  });

  test('Documents beyond the queue limit are refused as unavailable, and waiting ones are still read', async () => {
    create({ waitingBytes: plan.length * 2 });
    const first = parse(plan);
    const second = parse(plan);
    await expect(parse(plan)).rejects.toBeInstanceOf(UnavailableError);
    expect([(await first).kind, (await second).kind]).toEqual(['plan', 'plan']);
    expect((await parse(plan)).kind).toBe('plan');
  });

  test('The thread ends when idle and starts again for the next document', async () => {
    create({ idleMs: 1 });
    for (let i = 0; i < 2; i += 1) {
      expect((await parse(plan)).kind).toBe('plan');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  test('No document is accepted once the process has begun to stop', async () => {
    create({});
    const last = parse(plan);
    const closing = parser.close();
    expect((await last).kind).toBe('plan');
    await closing;
    await expect(parse(plan)).rejects.toBeInstanceOf(UnavailableError);
  });
});
