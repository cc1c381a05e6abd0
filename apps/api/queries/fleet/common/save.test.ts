/** A save interrupted at any step leaves file and row both old or both new, and no orphan after the sweep. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { UnavailableError } from '#domain/errors.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { testContext } from '#test/harness.ts';
import { filesAndRows } from '#test/support/fleet.ts';
import { killedEverywhere } from '#test/support/kill-points.ts';
import type { Life } from '#test/support/kill-points.ts';
import { postgresProxy } from '#test/support/postgres-proxy.ts';
import { bareEnvironment } from '#test/support/process.ts';
import { sampled } from '#test/support/deep.ts';
import sweepExpired from '#workers/jobs/sweep-expired.ts';
import { runOnce } from '#test/support/run-once.ts';
import { saveFleetProfile } from './save.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
});
afterAll(() => api.close());

const save = (life: Life, registration: string, mslw: number) =>
  saveFleetProfile(
    {
      ...life,
      log: () => life.log,
      db: api.context.postgres.db,
      aircraft: api.running.services.aircraft,
      permit: () => Promise.resolve(),
      quota: null,
      created: null,
    },
    { userId: user.id },
    {
      registration,
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw } },
      // This field is stored in the row, so that row and file both show the version.
      flightSim: String(mslw),
      addon: null,
      isShared: false,
      variant: null,
      engines: null,
      engineTimeLimitS: null,
    },
  );

/** The version in the row and that in its file; null without a row. */
const versions = async (registration: string): Promise<[string, string] | null> => {
  const row = await api.context.postgres.db.maybe<{ key: string; version: string }>(
    sql`SELECT storage_key AS key, flight_sim AS version FROM fleet_profile WHERE registration = ${registration}`,
  );
  if (!row) return null;
  const bytes = await api.context.storage.get(row.key);
  if (!bytes) return [row.version, 'no file'];
  const { weight } = JSON.parse(Buffer.from(bytes).toString()) as { weight: { mslw: number } };
  return [row.version, String(weight.mslw)];
};

/** What workers do in the hour after a kill: deletion jobs and the sweep. */
const recover = async () => {
  const { context } = api;
  context.clock.advance(3_700);
  await runOnce(sweepExpired, context, { slot: context.clock.now().toISOString() });
  const jobs = await context.postgres.db.any<{ keys: string[] }>(sql`
    SELECT ARRAY(SELECT jsonb_array_elements_text(data -> 'keys')) AS keys FROM pgboss.job WHERE name = 'file.delete'`);
  for (const key of jobs.flatMap(({ keys }) => keys)) await context.storage.delete(key);
  const { files, rows } = await filesAndRows(context);
  expect(files).toEqual(rows);
};

describe('interrupted saves of a fleet profile', () => {
  test('A save of a new or existing profile killed at any step leaves the old or the new state', async () => {
    let attempt = 0;
    const stored = new Set<string>();
    const steps = await killedEverywhere(
      api.context,
      (life) => save(life, `NEW-${(attempt += 1)}`, 64_000),
      async (step) => {
        const now = await versions(`NEW-${attempt}`);
        expect([step, now]).toEqual([step, now === null ? null : ['64000', '64000']]);
        if (now) stored.add(String(step));
        await recover();
      },
    );
    let weight = 64_000;
    let before = '64000';
    await killedEverywhere(
      api.context,
      (life) => save(life, `NEW-${attempt}`, (weight += 1)),
      async (step) => {
        const now = await versions(`NEW-${attempt}`);
        expect([step, now?.[0], [before, String(weight)]]).toEqual([
          step,
          now?.[1],
          expect.arrayContaining([now?.[0]]),
        ]);
        before = now?.[0] ?? '';
        await recover();
      },
    );
    expect(steps).toBeGreaterThanOrEqual(14);
    expect(weight - 64_000).toBeGreaterThanOrEqual(16);
    // The last run but one is killed after the commit, the last one is not killed.
    expect(stored.size).toBe(2);
  });

  test('A save whose database connection is lost at any statement or at the commit leaves the old or the new state', async () => {
    const { databaseUrl, storage, clock } = api.context;
    const proxy = await postgresProxy(databaseUrl);
    const through = await testContext({ databaseUrl: proxy.url, storage, clock });
    const { transaction } = through.postgres;
    const life: Life = { ...through, prepare: through.postgres, transaction };
    // Not through the proxy, which finds statements by their text: a connection sends it only once, to prepare them.
    const { postgres } = api.context;
    await save({ ...api.context, prepare: postgres, transaction: postgres.transaction }, 'CUT', 64_000);
    let before = '64000';
    const outcomes: string[] = [];
    for (const [i, text] of [
      'INSERT INTO file_write',
      'DELETE FROM file_write',
      'FOR NO KEY UPDATE',
      'SELECT p.id',
      'UPDATE fleet_profile',
      'SELECT; COMMIT',
    ].entries()) {
      const mslw = 64_001 + i;
      const lost = proxy.loseAnswerTo(text);
      const error: unknown = await save(life, 'CUT', mslw).catch((reason: unknown) => reason);
      await lost;
      expect([text, error]).toEqual([text, expect.any(UnavailableError)]);
      const now = await versions('CUT');
      expect([text, now?.[0], [before, String(mslw)]]).toEqual([
        text,
        now?.[1],
        expect.arrayContaining([now?.[0]]),
      ]);
      outcomes.push(now?.[0] === before ? 'old' : 'new');
      before = now?.[0] ?? '';
      await recover();
    }
    // Only a kill after the commit leaves the new profile, although the answer was lost.
    expect(outcomes).toEqual(['old', 'old', 'old', 'old', 'old', 'new']);
    await through.close();
    await proxy.close();
  });

  test('A save killed with SIGKILL while writing files leaves the old or the new state', async () => {
    const { databaseUrl, config, clock } = api.context;
    // The processes use the clock of this machine.
    clock.set(new Date());
    const env = { ...bareEnvironment(), DATABASE_URL: databaseUrl, DATA_DIR: config.DATA_DIR };
    for (const waitMs of sampled([70, 10], 2)) {
      const child = fork(
        join(import.meta.dirname, '../../../../../test/support/fleet-saver.ts'),
        [String(user.id)],
        {
          env,
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        },
      );
      const exited = once(child, 'exit');
      const ended = exited.then(([code]: unknown[]) => {
        throw new Error(`the process ended with ${String(code)} before its first save`);
      });
      await Promise.race([once(child, 'message'), ended]);
      // Killed at a random moment during one of its consecutive saves.
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      ended.catch(() => undefined);
      child.kill('SIGKILL');
      await exited;
      const now = await versions('KILLED');
      expect(now?.[0]).toBe(now?.[1]);
      expect(Number(now?.[0])).toBeGreaterThan(64_000);
      await recover();
    }
  });
});
