import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { OutcomeUnknownError } from '#domain/errors.ts';
import { fileDelete } from '#domain/jobs/contracts.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { killedAt, killedEverywhere } from '#test/support/kill-points.ts';
import type { Life } from '#test/support/kill-points.ts';
import { postgresProxy } from '#test/support/postgres-proxy.ts';
import { runSql } from '#test/support/sql.ts';
import sweepExpired from '#workers/jobs/sweep-expired.ts';
import { runOnce } from '#test/support/run-once.ts';
import { withNewFile } from './with-new-file.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
  await runSql(t.postgres)`CREATE TABLE document (id integer PRIMARY KEY, key text NOT NULL)`;
});
beforeEach(() => runSql(t.postgres)`INSERT INTO document VALUES (1, 'none') ON CONFLICT DO NOTHING`);
afterAll(() => t.close());

const setKey = async (tx: Tx, life: Pick<Life, 'jobs'>, key: string) => {
  const old = await tx.one<{ key: string }>(sql`SELECT key FROM document WHERE id = 1 FOR UPDATE`);
  await tx.run(sql`UPDATE document SET key = ${key} WHERE id = 1`);
  await life.jobs.enqueue(tx, fileDelete, { keys: [old.key] });
};

/** Stores this text as the file of the row. */
const save = (life: Life, text: string, refer = setKey) => {
  const key = `documents/${randomUUID()}`;
  return withNewFile(life, {
    key,
    put: () => life.storage.put(key, Buffer.from(text), 'text/plain'),
    refer: (tx) => refer(tx, life, key),
  });
};
const life = (): Life => ({ ...t, prepare: t.postgres, transaction: t.postgres.transaction });

const keyNow = async (context = t) =>
  (await context.postgres.db.one<{ key: string }>(sql`SELECT key FROM document WHERE id = 1`)).key;
const textNow = async () => Buffer.from((await t.storage.get(await keyNow())) ?? '').toString();
const filesNow = async () =>
  (await readdir(join(t.config.DATA_DIR, 'files/documents'))).map((name) => `documents/${name}`);
/** Deletion jobs and the sweep of an hour later. */
const settle = async () => {
  t.clock.advance(3_700);
  await runOnce(sweepExpired, t, { slot: t.clock.now().toISOString() });
  const jobs = await t.postgres.db.any<{ keys: string[] }>(
    sql`SELECT ARRAY(SELECT jsonb_array_elements_text(data -> 'keys')) AS keys FROM pgboss.job WHERE name = 'file.delete'`,
  );
  for (const key of jobs.flatMap(({ keys }) => keys)) await t.storage.delete(key);
};

describe('withNewFile', () => {
  test('A process killed at any step leaves file and row both old or both new, and the sweep leaves no orphan', async () => {
    await save(life(), 'text 0');
    let before = 'text 0';
    let attempt = 0;
    let changes = 0;
    const steps = await killedEverywhere(
      t,
      (mortal) => save(mortal, `text ${(attempt += 1)}`),
      async (step) => {
        const text = await textNow();
        expect([step, [before, `text ${attempt}`]]).toEqual([step, expect.arrayContaining([text])]);
        if (text !== before) changes += 1;
        before = text;
        await settle();
        expect(await filesNow()).toEqual([await keyNow()]);
      },
    );
    expect(steps).toBeGreaterThan(12);
    // Once without a kill, and once killed after the commit.
    expect(changes).toBe(2);
  });

  test('A failing put or transaction deletes the new file at once and is rethrown', async () => {
    await save(life(), 'kept');
    await settle();
    const failing = {
      ...life(),
      storage: { ...t.storage, put: () => Promise.reject(new Error('disk gone')) },
    };
    await expect(save(failing, 'never')).rejects.toThrow('disk gone');
    await expect(
      save(life(), 'never', async (tx, _, key) => {
        await tx.run(sql`UPDATE document SET key = ${key} WHERE id = 1`);
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect(await textNow()).toBe('kept');
    expect(await filesNow()).toEqual([await keyNow()]);
  });

  test('A commit with an unknown outcome keeps the file, and the sweep deletes it only if no row refers to it', async () => {
    const proxy = await postgresProxy(t.databaseUrl);
    const through = await testContext({ databaseUrl: proxy.url, storage: t.storage, clock: t.clock });
    const lost = proxy.loseAnswerTo('SELECT; COMMIT');
    const { transaction } = through.postgres;
    await expect(save({ ...through, prepare: through.postgres, transaction }, 'unknown')).rejects.toThrow(
      OutcomeUnknownError,
    );
    await lost;
    expect(await textNow()).toBe('unknown');
    await settle();
    expect(await textNow()).toBe('unknown');
    await through.close();
    await proxy.close();
  });

  test('A write ended by the sweep is refused', async () => {
    await save(life(), 'kept');
    const late = { ...life(), storage: { ...t.storage, put: () => settle() } };
    await expect(save(late, 'late')).rejects.toThrow('took so long');
    expect(await textNow()).toBe('kept');
    expect(await killedAt(t, Infinity, (mortal) => save(mortal, 'in time'))).toBeGreaterThan(12);
  });
});
