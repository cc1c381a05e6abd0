import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testContext, testFolder } from '#test/harness.ts';
import { importAirports } from '#test/support/airports.ts';
import notam from './feeds/notam.ts';
import { runFeed } from './runner.ts';

const t = await testContext();
afterAll(() => t.close());

const ingest = async (...texts: string[]) => {
  const path = `${await testFolder()}.txt`;
  await writeFile(path, texts.join('\n\n'));
  const outcome = await runFeed(t, notam, {
    slot: t.clock.now(),
    signal: new AbortController().signal,
    override: pathToFileURL(path).href,
  });
  const state = await t.postgres.db.one<{ notice: string | null }>(
    sql`SELECT notice FROM feed_state WHERE feed = 'notam'`,
  );
  return { outcome, notice: state.notice };
};

const domestic = (location: string, text: string) =>
  `!${location} 09/123 ${location} ${text} 2609010000-2612280000`;

test('The operator is warned of runway NOTAM for an unknown airport, and they are kept', async () => {
  await importAirports(t, ['KJFK']);
  const known = domestic('JFK', 'RWY 04L/22R CLSD');
  const { outcome, notice } = await ingest(
    known,
    domestic('QQA', 'RWY 09/27 CLSD'),
    domestic('QQB', 'RWY 09/27 CLSD'),
    domestic('ZAN', 'AIRSPACE UAS WI AN AREA'),
  );
  expect(outcome).toMatchObject({ kind: 'stored', stored: 4, rejected: 0 });
  expect(notice).toBe('NOTAM about runways of airports that are not known: KQQA, KQQB');
  expect((await ingest(known)).notice).toBeNull();
});
