import { expect, test } from 'vitest';
import { testContext } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { sql } from '../sql.ts';
import { isReceivedBy } from './shares.ts';

test('Received shares are found by indexes among 4,000, for one user and for several', async () => {
  await using t = await testContext();
  const run = runSql(t.postgres);
  await run`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, email_verified_at)
    SELECT 'p' || n || '@example.org', 'x', 'P', 'Q', 'PQR', now() FROM generate_series(1, 4000) n`;
  await run`
    INSERT INTO ofp_share (owner_id, ofp_id, recipient_id, email, permission, status, token_hash, code_hash, sealed,
      created_at, accepted_at)
    SELECT u.id, 'x', CASE WHEN u.id % 2 = 0 THEN u.id - 1 END, 'p' || (u.id - 1) || '@example.org', 'view',
      CASE WHEN u.id % 2 = 0 THEN 'accepted' ELSE 'pending' END, int4send(u.id), int4send(u.id), '', now(), now()
    FROM app_user u`;
  await run`ANALYZE app_user`;
  await run`ANALYZE ofp_share`;
  const planOf = async (statement: ReturnType<typeof sql>): Promise<string> =>
    (await t.postgres.db.any<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${statement}`))
      .map((line) => line['QUERY PLAN'])
      .join('\n');
  for (const plan of [
    await planOf(sql`SELECT s.id FROM ofp_share s WHERE ${isReceivedBy(sql`${7}::int`)}`),
    await planOf(sql`
      SELECT counted.* FROM unnest(${[7, 8, 9]}::int[]) AS asked (user_id),
        LATERAL (SELECT count(*) FROM ofp_share s WHERE ${isReceivedBy(sql`asked.user_id`)}) counted`),
  ]) {
    expect(plan).toContain('ofp_share_email');
    expect(plan).not.toMatch(/Seq Scan on (?:ofp_share|app_user)/);
  }
});
