import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
});
afterAll(() => api.close());

const submit = async (path: string, fields: Record<string, string>) => {
  const answer = await api.fetch(path, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, html: await answer.text() };
};
const person = { email: 'ada@pilot.example', firstname: 'Ada', lastname: 'Byron', password: 'by the form' };
const jobs = (name: string): Promise<number> =>
  runSql(api.context.postgres)`UPDATE pgboss.job SET name = name WHERE name = ${name}`;

describe('the registration page', () => {
  test('An account is created with a mail that verifies its address, and its password logs in (M-4.6.q1a)', async () => {
    expect(await (await api.fetch('/register')).text()).toContain(
      '<form class="sheet" method="post" action="/register">',
    );
    const mails = await jobs('mail.send');
    const made = await submit('/register', person);
    expect([made.status, made.html]).toEqual([200, expect.stringContaining('<b>ada@pilot.example</b>')]);
    expect(await jobs('mail.send')).toBe(mails + 1);
    const login = await api.call('login', { devKey: await api.key(), data: person });
    expect(login.body).toMatchObject({ success: true, user: { firstname: 'Ada' } });
  });

  test.each([
    ['an address that is taken', person, 409, 'There is already an account for this email address.'],
    [
      'a short password',
      { ...person, password: 'short' },
      400,
      'The password must have at least 6 characters.',
    ],
    ['no address', { ...person, email: 'ada' }, 400, 'This is not an email address.'],
    [
      'no name',
      { ...person, email: 'b@pilot.example', firstname: '' },
      400,
      'Missing required field: firstname.',
    ],
    ['markup', { ...person, email: '"><script>@x.y' }, 400, 'This is not an email address.'],
  ])(
    'With %s the form returns with the reason and without the password',
    async (_, fields, status, reason) => {
      const answer = await submit('/register', fields);
      expect([answer.status, answer.html]).toEqual([
        status,
        expect.stringContaining(`<p role="alert" class="alert">${reason}</p>`),
      ]);
      expect(answer.html).toContain('value="Byron"');
      expect(answer.html).not.toMatch(/by the form|<script/);
    },
  );

  test('A reset request gets the same answer whether or not the account exists (M-4.6.q3e)', async () => {
    const asked = await jobs('password.reset');
    const [known, unknown] = [
      await submit('/reset', { email: 'ada@pilot.example' }),
      await submit('/reset', { email: 'nobody@pilot.example' }),
    ];
    expect(known.html).toBe(unknown.html);
    expect(known).toMatchObject({
      status: 200,
      html: expect.stringContaining('an email is on its way') as string,
    });
    expect(await jobs('password.reset')).toBe(asked + 2);
    expect((await submit('/reset', { email: 'ada' })).status).toBe(400);
  });

  test('New accounts have the same limit as the query register', async () => {
    const answers = [];
    for (let i = 0; i < 20; i += 1)
      answers.push((await submit('/register', { ...person, email: 'x' })).status);
    expect(answers.at(-1)).toBe(429);
    expect((await api.call('register', { devKey: await api.key(), data: person })).status).toBe(429);
  });
});

test('The operator can switch the page off', async () => {
  const closed = await testApi({ env: { REGISTER_PAGE: 'false' } });
  try {
    const answer = await closed.fetch('/register', { method: 'POST', body: new URLSearchParams(person) });
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('The operator')]);
    expect((await closed.fetch('/register')).status).toBe(404);
  } finally {
    await closed.close();
  }
});
