import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWindStore } from '#data/feeds/winds/store.ts';
import type { WindStore } from '#data/feeds/winds/store.ts';
import { createRevisions } from '#store/postgres/revisions.ts';
import { sql } from '#store/postgres/sql.ts';
import { fieldsPerLevel, packWind } from '#domain/winds/snapshot.ts';
import type { WindHeader, WindSnapshot } from '#domain/winds/snapshot.ts';
import { windAloft } from '#domain/winds/wind-aloft.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { windCycleRepo, windCycleWrites } from './cycles.ts';

const firstCycleMs = Date.UTC(2026, 8, 16, 6);
const now = new Date('2026-09-16T10:00:00Z');

/** A cycle of three steps with the same wind speed everywhere; each step has several chunks, the last one short. */
const constant = (speedMs: number, cycleMs = firstCycleMs): WindSnapshot => {
  const header: WindHeader = {
    cycleMs,
    stepsHours: [0, 24, 48],
    levelsHpa: [100, 150, 200, 250, 300, 400, 500, 700, 1000],
    grid: { ni: 180, nj: 91, northDeg: 90, westDeg: 0, diDeg: 2, djDeg: 2 },
  };
  const code = packWind(speedMs);
  const numbers = 180 * 91 * header.levelsHpa.length * fieldsPerLevel;
  return { header, steps: header.stepsHours.map(() => new Int16Array(numbers).fill(code)) };
};

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());
beforeEach(async () => {
  await runSql(t.postgres)`TRUNCATE wind_active, wind_chunk, wind_cycle`;
});

const save = async (snapshot: WindSnapshot, source = 'test'): Promise<number> =>
  (await t.postgres.transaction((tx) => windCycleWrites(tx).store(snapshot, source, now))).id;

const route = Array.from({ length: 100 }, (_, i) => ({
  latitude: 40 + (i % 30),
  longitude: -70 + i,
  cruiseLevel: 350,
  eto: new Date(firstCycleMs + (i % 48) * 3_600_000).toISOString(),
}));

const speedsOf = (snapshot: WindSnapshot | null): number[] => [
  ...new Set(
    windAloft(snapshot, route, firstCycleMs).flatMap((entry) =>
      Object.values(entry.winds).map((level) => level.windSpeed ?? -1),
    ),
  ),
];

describe('wind cycles in Postgres', () => {
  test('The loaded cycle equals the stored one, value by value', async () => {
    const snapshot = constant(10);
    snapshot.steps[1]?.set([1, -2, -32768, 32767], 400_000);
    const id = await save(snapshot, 'nomads');
    const repo = windCycleRepo(t.postgres.db);
    expect(await repo.active()).toMatchObject({
      id,
      cycle: new Date(firstCycleMs),
      source: 'nomads',
      switchedAt: now,
    });
    const loaded = await repo.load(id);
    expect(loaded?.header).toEqual(snapshot.header);
    expect(
      loaded?.steps.every((step, i) => Buffer.compare(bytesOf(step), bytesOf(snapshot.steps[i])) === 0),
    ).toBe(true);
    expect(await repo.load(id + 1)).toBeNull();
  });

  test('The pointer moves only when everything is stored, and a failed store leaves no trace', async () => {
    const repo = windCycleRepo(t.postgres.db);
    const first = await save(constant(10));
    const failed = t.postgres.transaction(async (tx) => {
      await windCycleWrites(tx).store(constant(20), 'test', now);
      expect((await repo.active())?.id).toBe(first);
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect((await repo.active())?.id).toBe(first);
    expect(await t.postgres.db.any(sql`SELECT id FROM wind_cycle`)).toHaveLength(1);
  });

  test('The last two cycles are kept', async () => {
    const ids = [await save(constant(1)), await save(constant(2)), await save(constant(3))];
    const rows = await t.postgres.db.any<{ id: number }>(sql`SELECT id FROM wind_cycle ORDER BY id`);
    expect(rows.map((row) => row.id)).toEqual(ids.slice(1));
    const left = await t.postgres.db.any(sql`SELECT DISTINCT wind_cycle_id FROM wind_chunk`);
    expect(left).toHaveLength(2);
  });

  test('The active cycle is written again only if its stored data are damaged', async () => {
    const store = (snapshot: WindSnapshot) =>
      t.postgres.transaction((tx) => windCycleWrites(tx).store(snapshot, 'test', now));
    const first = await store(constant(10));
    expect(first.chunks).toBeGreaterThan(9);
    expect(await store(constant(10))).toEqual({ id: first.id, chunks: 0 });
    const other = constant(10);
    other.steps[2]?.set([1], 400_000);
    const second = await store(other);
    expect(second.id).toBeGreaterThan(first.id);
    await runSql(t.postgres)`
      UPDATE wind_chunk SET data = '\\x00' WHERE wind_cycle_id = ${second.id} AND step = 1 AND part = 0`;
    expect(await store(other)).toMatchObject({ chunks: first.chunks });
  });

  test('A damaged chunk is detected', async () => {
    const id = await save(constant(10));
    await runSql(t.postgres)`
      UPDATE wind_chunk SET data = set_byte(data, 17, 255) WHERE wind_cycle_id = ${id} AND step = 2 AND part = 1`;
    await expect(windCycleRepo(t.postgres.db).load(id)).rejects.toThrow('2/1 does not match its hash');
  });
});

const bytesOf = (step: Int16Array | undefined): Buffer =>
  step ? Buffer.from(step.buffer, step.byteOffset, step.byteLength) : Buffer.alloc(0);

describe('wind store', () => {
  let store: WindStore;
  beforeEach(() => {
    store = createWindStore({ db: t.postgres.db, log: t.log });
    return () => store.close();
  });

  test('The store returns null before the first cycle, then the active one', async () => {
    await store.refresh();
    expect(store.current()).toBeNull();
    await save(constant(10));
    await store.refresh();
    expect(speedsOf(store.current())).toEqual([Math.round(Math.hypot(10, 10) * 1.943844)]);
    const before = store.current();
    await store.refresh();
    expect(store.current()).toBe(before);
  });

  test('A commit by another process switches the cycle under load without an error or an answer that mixes two cycles', async () => {
    const [slow, fast] = [10, 20].map((ms) => Math.round(Math.hypot(ms, ms) * 1.943844));
    await save(constant(10));
    await store.refresh();
    const refresh = () => void store.refresh();
    const revisions = createRevisions({ db: t.postgres.db, log: t.log }, (name) => {
      if (name === 'wind') refresh();
    });
    await until('revisions are read', () => revisions.isCurrent());
    let running = true;
    const seen = new Set<number | undefined>();
    const mixed: number[][] = [];
    const load = (async () => {
      while (running) {
        const speeds = speedsOf(store.current());
        if (speeds.length !== 1) mixed.push(speeds);
        seen.add(speeds[0]);
        await new Promise(setImmediate);
      }
    })();
    await save(constant(20, firstCycleMs + 6 * 3_600_000));
    await until('the new cycle is seen', () => seen.has(fast));
    running = false;
    await load;
    await revisions.close();
    expect(mixed).toEqual([]);
    expect([...seen]).toEqual([slow, fast]);
  });

  test('A cycle that cannot be loaded leaves the old one active until the next valid one', async () => {
    await save(constant(10));
    await store.refresh();
    const before = store.current();
    const id = await save(constant(20));
    await runSql(t.postgres)`UPDATE wind_chunk SET data = '\\x00' WHERE wind_cycle_id = ${id} AND step = 1`;
    await store.refresh();
    expect(store.current()).toBe(before);
    await save(constant(30));
    await store.refresh();
    expect(speedsOf(store.current())).toEqual([Math.round(Math.hypot(30, 30) * 1.943844)]);
  });
});
