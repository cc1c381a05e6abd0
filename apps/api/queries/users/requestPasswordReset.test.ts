import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { runSql } from '#test/support/sql.ts';
import { statementsDuring } from '#test/support/statements.ts';

let api: TestApi;
let key: string;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  key = await api.key({ returnUrlHosts: ['good.example', 'app:'] });
  user = await api.user();
});
afterAll(() => api.close());

const ask = (data: Record<string, unknown>, devKey = key) =>
  api.call('requestPasswordReset', { data, devKey });

const requests = () =>
  api.context.postgres.db.any<{ email: string; url: string | null }>(
    sql`SELECT email, return_url AS url FROM password_reset_request ORDER BY id`,
  );

describe('requestPasswordReset', () => {
  test('Known and unknown email addresses get the same bytes for the same work, before anything is decided (M-4.6.q2b, M-8.15, A-11)', async () => {
    const known = await ask({ email: user.email });
    const unknown = await ask({ email: 'nobody@example.org' });
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect(JSON.stringify(known.body)).toBe(JSON.stringify(unknown.body));
    expect(known.body).toMatchObject({ success: true, apiVersion: '1.3.6' });
    expect((await requests()).map(({ email }) => email)).toEqual([user.email, 'nobody@example.org']);
    const jobs = await api.context.queues.counts();
    expect(jobs.find(({ job }) => job === 'password.reset')?.waiting).toBe(2);
    // The mail of the registration.
    expect(jobs.find(({ job }) => job === 'mail.send')?.waiting).toBe(1);
  });

  test('Known and unknown addresses take the same time, since they run the same statements (M-4.6.q2b)', async () => {
    const statementsOf = (email: string) => statementsDuring(() => ask({ email }));
    // The first call fills the caches, with statements that later calls lack.
    await ask({ email: user.email });
    const known = await statementsOf(user.email);
    expect(known.map((text) => /password_reset_request|pgboss/.exec(text)?.[0])).toEqual(
      expect.arrayContaining(['password_reset_request', 'pgboss']),
    );
    expect(await statementsOf('nobody@example.org')).toEqual(known);
  });

  test('Any valid key is accepted, and no other (M-4.6.q2a, M-2.1.2a)', async () => {
    expect(refusal(await ask({ email: user.email }, 'dk_wrong'))).toEqual([401, 'INVALID_DEV_KEY']);
    const without = await api.call('requestPasswordReset', { data: { email: user.email } });
    expect(refusal(without)).toEqual([401, 'INVALID_DEV_KEY']);
  });

  test.each([
    [{}, 'MISSING_FIELD'],
    [{ email: '' }, 'MISSING_FIELD'],
    [{ email: 'x' }, 'INVALID_EMAIL'],
    [{ email: 'a@b.example', returnUrl: 5 }, 'INVALID_FIELD'],
    [{ email: 'a@b.example', returnUrl: `https://good.example/${'x'.repeat(2_000)}` }, 'INVALID_FIELD'],
  ])('%j is refused and nothing is queued (M-4.6.q2a, A-12, G-02)', async (data, code) => {
    const before = (await requests()).length;
    expect(refusal(await ask(data))).toEqual([400, code]);
    expect(await requests()).toHaveLength(before);
  });

  test('A return URL allowed by the key is kept; with another one the mail is sent without it, and the answer says so (M-4.6.q2a, M-4.6.q2b, A-12)', async () => {
    const without = await api.key({});
    const cases: [string, string, boolean][] = [
      [key, 'app://x', true],
      [key, 'https://good.example/back?x=1', true],
      [key, 'other://x', false],
      [key, 'https://any.example/back', false],
      [key, 'https://good.example.evil.example', false],
      [key, 'javascript:alert(1)', false],
      [key, ' https://good.example', false],
      [without, 'myefb://x', true],
      [without, 'https://good.example', false],
      [without, 'file:///etc/passwd', false],
      [without, 'rdp://host', false],
      [without, 'vscode-insiders://x', false],
      [without, 'itms-services://?action=download-manifest', false],
    ];
    const generic = await ask({ email: 'x@example.org' });
    for (const [devKey, returnUrl, isKept] of cases) {
      const answer = await ask({ email: 'x@example.org', returnUrl }, devKey);
      expect([answer.status, answer.body]).toEqual([
        200,
        isKept ? generic.body : { ...generic.body, ignored: ['returnUrl'] },
      ]);
      expect([returnUrl, (await requests()).at(-1)?.url]).toEqual([returnUrl, isKept ? returnUrl : null]);
    }
  });
});

test('A developer’s application is named with the return address, an operator’s is not (A-12)', async () => {
  const devKey = await api.key({});
  const application = async () =>
    (
      await api.context.postgres.db.one<{ application: string | null }>(
        sql`SELECT application FROM password_reset_request ORDER BY id DESC LIMIT 1`,
      )
    ).application;
  await ask({ email: user.email, returnUrl: 'free://back' }, devKey);
  expect(await application()).toBeNull();
  await runSql(api.context.postgres)`
    UPDATE developer_key SET owner_id = ${user.id}, name = 'Free EFB'
    WHERE id = (SELECT max(id) FROM developer_key)`;
  await ask({ email: user.email, returnUrl: 'free://back' }, devKey);
  expect(await application()).toBe('Free EFB');
});

test('The 21st request within an hour from one IP address is refused (G-27)', async () => {
  const strict = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
  const devKey = await strict.key({});
  const go = () => strict.call('requestPasswordReset', { devKey, data: { email: 'a@example.org' } });
  for (let i = 0; i < 20; i += 1) expect((await go()).status).toBe(200);
  expect(refusal(await go())).toEqual([429, 'RATE_LIMITED']);
  await strict.close();
});
