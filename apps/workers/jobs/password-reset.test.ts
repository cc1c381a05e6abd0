import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfSecret, sealApiKey } from '#store/auth/secrets.ts';
import { passwordResetRepo, passwordResetWrites } from '#store/postgres/users/password-resets.ts';
import { sql } from '#store/postgres/sql.ts';
import { userWrites } from '#store/postgres/users/users.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { runOnce } from '#test/support/run-once.ts';
import passwordReset from './password-reset.ts';

let t: TestContext;
let userId: number;
const email = 'Pilot@example.org';
beforeAll(async () => {
  t = await testContext({ env: { WEB_BASE_URL: 'https://efb.example/' } });
  userId = await t.postgres.transaction((tx) =>
    userWrites(tx).create({
      email,
      passwordHash: 'x',
      firstname: '<b>Eve</b>',
      lastname: 'Pilot',
      crewcode: 'PILOTE',
      rank: 'FO',
      pinSealed: null,
      ...sealApiKey('API-TEST-TEST-TEST', t.config.ENCRYPTION_KEYS),
      preferences: {},
      developerKeyId: null,
      createdAt: t.clock.now(),
    }),
  );
});
afterAll(() => t.close());
beforeEach(async () => {
  await runSql(t.postgres)`TRUNCATE password_reset, password_reset_request, outgoing_mail`;
});

const request = async (address = email, returnUrl: string | null = null) => {
  const row = { email: address, returnUrl, application: null, requestedAt: t.clock.now() };
  return t.postgres.transaction((tx) => passwordResetWrites(tx).addRequest(row));
};
const run = async (address?: string, returnUrl?: string) => {
  const requestId = await request(address, returnUrl);
  await runOnce(passwordReset, t, { requestId });
  return requestId;
};
const mails = () =>
  t.postgres.db.any<{ recipient: string; text: string; html: string; isSecret: boolean }>(
    sql`SELECT recipient, body_text AS text, body_html AS html, is_secret FROM outgoing_mail ORDER BY id`,
  );

describe('password.reset', () => {
  test('A link with a token is mailed, and only its hash is stored (M-4.6.q3e, M-6.8)', async () => {
    await run(email.toLowerCase(), 'app://back');
    const [mail] = await mails();
    expect(mail).toMatchObject({ recipient: email, isSecret: true });
    const token =
      /https:\/\/efb\.example\/reset-password\?token=([\w-]{43})\s/.exec(mail?.text ?? '')?.[1] ?? '';
    const row = await t.postgres.db.one<{ hash: Buffer; row: string }>(
      sql`SELECT token_hash AS hash, password_reset::text AS row FROM password_reset`,
    );
    expect(row.hash.equals(hashOfSecret(token))).toBe(true);
    expect(row.row).not.toContain(token);
    const stored = await passwordResetRepo(t.postgres.db).byHash(row.hash);
    expect(stored).toMatchObject({ userId, returnUrl: 'app://back', isUsed: false });
    expect(stored?.expiresAt.getTime()).toBe(t.clock.now().getTime() + 3_600_000);
    expect(mail?.html).not.toContain('<b>Eve');
  });

  test('An unknown or disabled account gets no mail, and the request is deleted all the same (M-4.6.q2b)', async () => {
    await run('nobody@example.org');
    await runSql(t.postgres)`UPDATE app_user SET disabled_at = now()`;
    await run();
    await runSql(t.postgres)`UPDATE app_user SET disabled_at = NULL`;
    expect(await mails()).toEqual([]);
    expect(await t.postgres.db.any(sql`SELECT 1 FROM password_reset_request`)).toEqual([]);
  });

  test('One mail is sent per 15 minutes, even for concurrent requests (M-8.15, A-11)', async () => {
    const ids = await Promise.all([request(), request(), request()]);
    await Promise.all(ids.map((requestId) => runOnce(passwordReset, t, { requestId })));
    expect(await mails()).toHaveLength(1);
    t.clock.advance(899);
    await run();
    expect(await mails()).toHaveLength(1);
    t.clock.advance(1);
    await run();
    expect(await mails()).toHaveLength(2);
  });

  test('A job that runs twice mails once', async () => {
    const requestId = await run();
    await runOnce(passwordReset, t, { requestId });
    expect(await mails()).toHaveLength(1);
  });
});
