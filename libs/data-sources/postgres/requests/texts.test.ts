import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { testContext } from '#test/harness.ts';
import { logTextRepo, logTextWrites } from './texts.ts';

const day = { day: '2026-11-24', isCalculation: false };
const textOf = (text: string) => ({ digest: createHash('sha256').update(text).digest(), text });

describe('texts that calls share', () => {
  test('However many different texts a batch has, they take the same number of statements', async () => {
    await using context = await testContext();
    const texts = Array.from({ length: 200 }, (_, i) => textOf(`answer ${i}`));
    const statementsFor = async (some: typeof texts): Promise<number> => {
      const query = vi.spyOn(Client.prototype, 'query');
      await context.postgres.transaction((tx) => logTextWrites(tx).share(day, some));
      const count = query.mock.calls.filter(([statement]: readonly unknown[]) =>
        JSON.stringify(statement).includes('request_log_text'),
      ).length;
      query.mockRestore();
      return count;
    };
    expect(await statementsFor(texts.slice(0, 1))).toBe(3);
    expect(await statementsFor(texts)).toBe(3);
    const read = await Promise.all(
      texts.map(({ digest }) => logTextRepo(context.postgres.db).byDigest(digest)),
    );
    expect(read).toEqual(texts.map(({ text }) => text));
  });
});
