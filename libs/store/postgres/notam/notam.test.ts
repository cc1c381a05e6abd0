import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { effectsAt } from '#test/support/notam-runway.ts';
import { isReject, parseNotam } from '#domain/notam/parse.ts';
import type { Notam } from '#domain/notam/types.ts';
import { isValidAt } from '#domain/notam/types.ts';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { notamRepo, notamWrites } from './notam.ts';
import { createPostgres } from '../pool.ts';
import type { Postgres } from '../pool.ts';
import { sql } from '../sql.ts';

let database: TestDatabase;
let postgres: Postgres;
const now = new Date('2026-02-10T12:00:00Z');

const notam = (number: string, text: string, header = 'NOTAMN', from = '2602010000'): Notam => {
  const read = parseNotam(
    `${number} ${header}\nQ) XXFF/QMRLC/IV/NBO/A/000/999/5129N00028W005\nA) XXAA B) ${from} C) 2602280000\nD) 0600-2000\nE) ${text}`,
  );
  if (isReject(read)) throw new Error(read.reason);
  return read;
};

const store = (records: Notam[], more: Partial<{ source: string; now: Date; isComplete: boolean }> = {}) =>
  postgres.transaction((tx) =>
    notamWrites(tx).store(records, { source: 'file', now, isComplete: false, ...more }),
  );
const keys = async (at = now) =>
  (await notamRepo(postgres.db).ofAirports(['XXAA']))
    .filter((each) => isValidAt(each, at))
    .map((each) => each.number);

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = createPostgres(
    {
      connectionString: database.url,
      applicationName: 'test',
      max: 2,
      statementTimeoutMs: 60_000,
      waitMs: 60_000,
    },
    pino({ level: 'silent' }),
  );
});
const prune = (before: Date) => postgres.transaction((tx) => notamWrites(tx).prune(before));
beforeEach(() => runSql(postgres)`TRUNCATE notam RESTART IDENTITY`);
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

describe('stored NOTAM', () => {
  test('Stored NOTAM are read back unchanged with the number that names their variant', async () => {
    const one = notam('A0001/26', 'RWY 09L/27R CLSD');
    expect(await store([one])).toBe(1);
    const [stored] = await notamRepo(postgres.db).ofAirports(['XXAA']);
    expect(stored).toEqual({ ...one, id: 1 });
    const facts = {
      icao: 'XXAA',
      ident: '09L',
      lengthM: 3_000,
      toraM: 3_000,
      todaM: 3_000,
      asdaM: 3_000,
      ldaM: 3_000,
      displacedM: 0,
      airportIdents: ['09L', '27R'],
    };
    expect(effectsAt(stored ? [stored] : [], facts, now)).toMatchObject({
      closed: true,
      variants: [{ notams: [{ id: 1 }] }],
    });
  });

  test('An unchanged batch writes nothing and uses up no number', async () => {
    const both = [notam('A0001/26', 'RWY 09L/27R CLSD'), notam('A0002/26', 'RWY 09R/27L CLSD')];
    expect(await store(both)).toBe(2);
    expect(await store(both)).toBe(0);
    expect(await store([notam('A0001/26', 'RWY 09L/27R CLSD DUE WIP')])).toBe(1);
    expect(await store([notam('A0003/26', 'TWY A CLSD')])).toBe(1);
    const rows = await postgres.db.any<{ id: number }>(sql`SELECT id FROM notam ORDER BY id`);
    expect(rows.map((row) => row.id)).toEqual([1, 2, 3]);
  });

  test('NOTAMC and NOTAMR cancel the NOTAM they name, without deleting it and only from their own start', async () => {
    await store([notam('A0001/26', 'RWY 09L/27R CLSD'), notam('A0002/26', 'RWY 09R/27L CLSD')]);
    await store([notam('A0003/26', 'CNL', 'NOTAMC A0001/26')]);
    expect(await keys()).toEqual(['A0002/26']);
    await store([notam('A0004/26', 'RWY 09R/27L CLSD DUE WIP', 'NOTAMR A0002/26', '2602120000')]);
    expect(await keys()).toEqual(['A0002/26']);
    const later = new Date('2026-02-12T12:00:00Z');
    await store([], { now: later });
    expect(await keys(later)).toEqual(['A0004/26']);
    const row = await postgres.db.one<{ by: string }>(
      sql`SELECT cancelled_by AS by FROM notam WHERE number = 'A0001/26'`,
    );
    expect(row.by).toBe('XXFF:A0003/26');
    // An old file contains the cancelled NOTAM again, which stays cancelled.
    await store([notam('A0001/26', 'RWY 09L/27R CLSD DUE ICE')], { now: later });
    expect(await keys(later)).toEqual(['A0004/26']);
  });

  test('A complete set cancels NOTAM that its source no longer has, and restores them when they return', async () => {
    const [one, two] = [notam('A0001/26', 'RWY 09L/27R CLSD'), notam('A0002/26', 'RWY 09R/27L CLSD')];
    await store([one, two], { source: 'nms' });
    await store([notam('A0009/26', 'TWY A CLSD')], { source: 'file' });
    expect(await store([one], { source: 'nms', isComplete: true })).toBe(1);
    expect(await keys()).toEqual(['A0001/26', 'A0009/26']);
    await store([one, two], { source: 'nms', isComplete: true });
    expect(await keys()).toEqual(['A0001/26', 'A0002/26', 'A0009/26']);
    // A NOTAM that has ended is not marked as cancelled, since a surface report is then the last known one.
    const over = new Date('2026-02-28T00:00:00Z');
    await store([], { source: 'nms', isComplete: true, now: over });
    expect((await notamRepo(postgres.db).ofAirports(['XXAA'])).map(({ number }) => number)).toContain(
      'A0001/26',
    );
  });

  test('Validity, closures and pruning follow the clock', async () => {
    await store([
      notam('A0001/26', 'RWY 09L/27R CLSD'),
      notam('A0002/26', 'TWY A CLSD'),
      notam('A0003/26', 'AD CLSD'),
    ]);
    expect(await keys(new Date('2026-01-31T00:00:00Z'))).toEqual([]);
    expect(await keys(new Date('2026-02-28T00:00:00Z'))).toEqual([]);
    expect((await notamRepo(postgres.db).withClosures(now)).map((each) => each.number)).toEqual([
      'A0001/26',
      'A0003/26',
    ]);
    expect(await prune(now)).toBe(0);
    expect(await prune(new Date('2026-04-15T00:00:00Z'))).toBe(3);
  });

  test('NOTAM still sent by a source are not pruned and rewritten by every run', async () => {
    const later = new Date('2026-11-20T00:00:00Z');
    const old = notam('A0001/26', 'RWY 09L/27R CLSD');
    expect(await store([old], { now: later })).toBe(1);
    expect(await prune(new Date('2026-10-21T00:00:00Z'))).toBe(0);
    expect(await store([old], { now: later })).toBe(0);
    expect(await prune(new Date('2026-12-20T00:00:00Z'))).toBe(1);
  });

  test('Five thousand NOTAM are stored at once, and characters refused by Postgres do not fail the batch', async () => {
    const many = Array.from({ length: 5_000 }, (_, i) =>
      notam(
        `B${String(i % 10_000).padStart(4, '0')}/26`,
        i === 7 ? 'RWY 09L\u0000 CLSD' : 'RWY 09L/27R CLSD',
      ),
    );
    expect(await store(many)).toBe(5_000);
    expect(await store(many)).toBe(0);
  });
});
