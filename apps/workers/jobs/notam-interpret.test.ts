import { afterAll, beforeAll, expect, test } from 'vitest';
import { notamRepo, notamWrites } from '#store/postgres/notam/notam.ts';
import { parserVersion } from '#domain/notam/interpret.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { runOnce } from '#test/support/run-once.ts';
import notamInterpret from './notam-interpret.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const text = (i: number): string =>
  `A${String(i).padStart(4, '0')}/26 NOTAMN
Q) XXFF/QMRLC/IV/NBO/A/000/999/5129N00028W005
A) XXAA B) 2602010000 C) 2602280000
D) 1410/2030
E) RWY 09L/27R CLSD DUE ${i}`;

const run = () => runOnce(notamInterpret, t, { slot: '2026-02-10T12:00:00Z' });
const versions = () =>
  insertBySql<{ outdated: number; total: number }>(t.postgres)`
    SELECT count(*) FILTER (WHERE parser_version < ${parserVersion}) AS outdated, count(*) AS total FROM notam`;

test('Stored NOTAM from an older version are interpreted again in batches, and nothing else is written', async () => {
  const { postgres, clock } = t;
  const { records } = parseNotamTexts(Array.from({ length: 450 }, (_, i) => text(i + 1)).join('\n\n'));
  await postgres.transaction((tx) =>
    notamWrites(tx).store(records, { source: 'hand', now: clock.now(), isComplete: false }),
  );
  const before = await notamRepo(postgres.db).ofAirports(['XXAA']);
  expect(before).toHaveLength(450);
  expect(await versions()).toEqual({ outdated: 0, total: 450 });

  await runSql(postgres)`
    UPDATE notam SET parser_version = 1, effects = '[]', flags = '{old}', runways = '{}',
      items = items || '{"schedule": null}'`;
  expect(await versions()).toEqual({ outdated: 450, total: 450 });
  await run();
  expect(await versions()).toEqual({ outdated: 0, total: 450 });
  expect(await notamRepo(postgres.db).ofAirports(['XXAA'])).toEqual(before);

  await runSql(postgres)`UPDATE notam SET flags = '{kept}' WHERE id = 1`;
  await run();
  const [first] = (await notamRepo(postgres.db).ofAirports(['XXAA'])).filter(({ id }) => id === 1);
  expect(first?.flags).toEqual(['kept']);
});
