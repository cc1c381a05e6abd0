/** Rows of the request log from before it was divided into days are read as before, and expire. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#data/postgres/pool.ts';
import { requestLogRepo } from '#data/postgres/requests/log.ts';
import { sql } from '#data/postgres/sql.ts';
import { logRow, storeLogRows } from '#test/support/request-log.ts';
import { schemaBefore } from '#test/support/older-schema.ts';
import type { OlderSchema } from '#test/support/older-schema.ts';
import { runSql } from '#test/support/sql.ts';

const ours = '0032_request_log_days.sql';
const at = (day: number) => new Date(Date.UTC(2026, 8, day, 23, 59, 59, 999));

let older: OlderSchema;
let postgres: Postgres;
beforeAll(async () => {
  older = await schemaBefore(ours);
  postgres = older.postgres;
});
afterAll(() => older.close());

test('Every row keeps its columns and bodies, and new rows join them', async () => {
  const text = '{"shared":"ä€😀"}';
  const digest = createHash('sha256').update(text).digest();
  const old = [
    logRow(1, at(1), { userId: 7, request: '{"a":"ä\\n€😀"}', response: '{"b":"x"}' }),
    logRow(2, at(2), { headers: null, request: null, response: null, errorCode: 'X', ip: '' }),
    logRow(3, at(2), { isCalculation: true, developerKeyId: 3, headers: '{"origin": "ö"}' }),
    logRow(4, at(3), { response: text, requestId: 'ü', query: null }),
    logRow(6, at(3), { response: '{"own":"ö","shared":"ä€😀"}' }),
  ];
  /** What two of them have next to the shared text: nothing, and an object whose members precede it. */
  const own = new Map([
    [4, null],
    [6, '{"own":"ö"}'],
  ]);
  await runSql(postgres)`
    INSERT INTO request_log_text (digest, text, used_at) VALUES (${digest}, ${text}, ${at(3)})`;
  for (const row of old)
    await runSql(postgres)`
      INSERT INTO request_log (id, request_id, query, user_id, developer_key_id, status, error_code, duration_ms, ip,
        headers, request, response, is_calculation, created_at, response_digest)
      VALUES (${row.id}, ${row.requestId}, ${row.query}, ${row.userId}, ${row.developerKeyId}, ${row.status},
        ${row.errorCode}, ${row.durationMs}, ${row.ip}, ${row.headers}, ${row.request},
        ${own.has(row.id) ? own.get(row.id) : row.response}, ${row.isCalculation}, ${row.createdAt},
        ${own.has(row.id) ? digest : null})`;

  expect(await older.upgrade()).toContain(ours);
  const log = requestLogRepo(postgres.db);
  const read = await Promise.all(old.map(({ id }) => log.byId(id)));
  const parsed = (headers: string | null | undefined) => JSON.parse(headers ?? 'null') as unknown;
  expect(read.map((row) => ({ ...row, headers: parsed(row?.headers) }))).toEqual(
    old.map((row) => ({ ...row, headers: parsed(row.headers) })),
  );
  const uses = await postgres.db.any(sql`
    SELECT day::text AS day, is_calculation, digest FROM request_log_text_use`);
  expect(uses).toEqual([{ day: '2026-09-03', is_calculation: false, digest }]);
  const fresh = logRow(5, at(3));
  expect(await storeLogRows({ postgres }, [fresh])).toBe(1);
  expect(await log.byId(5)).toEqual(fresh);
  // What has to be repeated after the update finds its row.
  expect(await storeLogRows({ postgres }, [logRow(1, at(1))])).toBe(1);
});
