/**
 * What the request log has, bodies unpacked:
 *
 *   const row = await loggedCall(api, answer);          // flushes first; fails when there is no row
 *   const texts = await allLogged(api.context.postgres.db);
 */
import { sql } from '#store/postgres/sql.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { unpackBodies, requestLogRepo } from '#store/postgres/requests/log.ts';
import type { RequestLogRow } from '#store/postgres/requests/log.ts';
import type { TestApi } from '../api.ts';

export { storeLogRows } from '#api/services/request-log.ts';

/** A row of a call at this time. */
export const logRow = (id: number, createdAt: Date, changes: Partial<RequestLogRow> = {}): RequestLogRow => ({
  id,
  requestId: `request-${id}`,
  query: 'test',
  userId: null,
  developerKeyId: null,
  status: 200,
  errorCode: null,
  durationMs: 1,
  ip: '192.0.2.1',
  headers: '{"user-agent":"test"}',
  request: `{"id":${id}}`,
  response: '{}',
  isCalculation: false,
  createdAt,
  ...changes,
});

/** The row of an answer. */
export const loggedCall = async (
  api: Pick<TestApi, 'running' | 'context'>,
  { headers }: { headers: Headers },
): Promise<RequestLogRow> => {
  await api.running.services.requestLog.flush();
  const id = Number(headers.get('x-svc-log-id'));
  const row = await requestLogRepo(api.context.postgres.db).byId(id);
  if (!row) throw new Error(`there is no log row ${id}`);
  return row;
};

/** All texts of the log: columns of the rows, and bodies. */
export const allLogged = async (
  db: ReadDb,
): Promise<{ rows: string[]; requests: string[]; bodies: string[] }> => {
  const rows = await db.any<{ row: string }>(sql`
    SELECT l::text AS row FROM request_log l UNION ALL SELECT k::text FROM request_log_kept k`);
  const bodies = await db.any<{ entries: Buffer }>(sql`SELECT entries FROM request_log_body ORDER BY id`);
  const unpacked = (await Promise.all(bodies.map((each) => unpackBodies(each.entries)))).flat();
  return {
    rows: rows.map(({ row }) => row),
    requests: unpacked.map(({ request }) => request ?? ''),
    bodies: unpacked.flatMap(({ headers, request, response }) => [
      headers ?? '',
      request ?? '',
      response ?? '',
    ]),
  };
};

/** Size of all relations of the log, with indexes and TOAST. */
export const logBytes = async (db: ReadDb): Promise<number> => {
  const { size } = await db.one<{ size: number }>(sql`
    SELECT sum(pg_total_relation_size(oid))::float8 AS size FROM pg_class
    WHERE relname LIKE 'request_log%' AND relkind = 'r'`);
  return size;
};
