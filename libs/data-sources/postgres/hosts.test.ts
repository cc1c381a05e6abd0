/** Connections to the one of several servers that takes changes. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/harness.ts';
import { postgresProxy } from '#test/support/postgres-proxy.ts';
import { freePort } from '#test/support/redis.ts';
import { connectionTo } from './hosts.ts';

test('A server lost while it is asked whether it takes changes fails the connection, and ends no process', async () => {
  const database = await createTestDatabase();
  const proxy = await postgresProxy(database.url);
  const { host } = new URL(proxy.url);
  const several = `${proxy.url.replace(host, `${host},127.0.0.1:${await freePort()}`)}?target_session_attrs=read-write`;
  const pool = new pg.Pool({ ...connectionTo(several), max: 2 });
  try {
    const first = await pool.connect();
    // The answer for the first one is still known: the lost one is that to the new connection itself.
    const lost = proxy.loseAnswerTo('pg_is_in_recovery');
    await expect(pool.connect()).rejects.toThrow('Connection terminated unexpectedly');
    await lost;
    const second = await pool.connect();
    expect((await second.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    first.release();
    second.release();
  } finally {
    await pool.end();
    await proxy.close();
    await database.drop();
  }
});
