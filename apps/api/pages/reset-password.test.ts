import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { addSeconds } from '#domain/time.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
});
afterAll(() => api.close());

const link = async (
  returnUrl: string | null = null,
  lifeSeconds = 3_600,
  application: string | null = null,
): Promise<string> => {
  const token = newSecret();
  const now = api.context.clock.now();
  await runSql(api.context.postgres)`
    INSERT INTO password_reset (user_id, token_hash, return_url, application, created_at, expires_at)
    VALUES (${user.id}, ${hashOfSecret(token)}, ${returnUrl}, ${application}, ${now}, ${addSeconds(now, lifeSeconds)})`;
  return token;
};

const open = async (query: string) => {
  const response = await api.fetch(`/reset-password${query}`);
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const submit = async (fields: Record<string, string>) => {
  const response = await api.fetch('/reset-password', { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

describe('the password reset form', () => {
  test('The form accepts a new password and redirects to the target after 2 seconds (M-4.6.q3e, J-12)', async () => {
    const token = await link('app://back/to?x=1&y=2');
    const form = await open(`?token=${token}`);
    expect(form.status).toBe(200);
    expect(form.html).toContain(`name="token" value="${token}"`);
    expect(form.html).toContain('<form class="sheet" method="post" action="/reset-password">');
    const done = await submit({ token, password: 'by the form' });
    expect(done.status).toBe(200);
    expect(done.html).toContain('<meta http-equiv="refresh" content="2;url=app://back/to?x=1&#38;y=2">');
    expect(done.html).toContain('>app://back/to?x=1&#38;y=2</a>');
    const login = await api.call('login', {
      devKey: await api.key({}),
      data: { email: user.email, password: 'by the form' },
    });
    expect(login.status).toBe(200);
    const again = await submit({ token, password: 'by the form' });
    expect(again.status).toBe(400);
    expect(again.html).not.toContain('refresh');
  });

  test('The return address of a developer’s application is shown as a link and never followed automatically', async () => {
    const token = await link('https://evil.example/login', 3_600, 'Free <EFB>');
    const done = await submit({ token, password: 'by the form' });
    expect(done.status).toBe(200);
    expect(done.html).not.toContain('http-equiv');
    expect(done.html).toContain('The application “Free &#60;EFB&#62;”');
    expect(done.html).toContain(
      '<a href="https://evil.example/login" rel="noreferrer">https://evil.example/login</a>',
    );
  });

  test('A reset without a target does not redirect (M-4.6.q3e)', async () => {
    const done = await submit({ token: await link(), password: 'by the form' });
    expect([done.status, done.html.includes('refresh')]).toEqual([200, false]);
  });

  test('The page of a used, expired or invented link says so at once without a form, and viewing a link does not use it up (M-4.6.q3c)', async () => {
    const used = await link();
    await submit({ token: used, password: 'by the form' });
    const [old, fresh] = [await link(null, -1), await link()];
    for (const [shown, status] of [
      [await open(`?token=${used}`), 400],
      [await open(`?token=${old}`), 410],
      [await open(`?token=${newSecret()}`), 400],
      [await open('?token=abc'), 400],
    ] as const) {
      expect(shown.status).toBe(status);
      expect(shown.html).toContain('role="alert"');
      expect(shown.html).not.toContain('<form');
    }
    for (let i = 0; i < 2; i += 1) expect((await open(`?token=${fresh}`)).html).toContain('<form');
    expect((await submit({ token: fresh, password: 'by the form' })).status).toBe(200);
  });

  test('The policy allows only the page’s own style and form, and the token does not leak', async () => {
    const token = await link();
    const { headers, html } = await open(`?token=${token}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(html).not.toMatch(/<script|<style|\son\w+=|src=/i);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('The content of the URL cannot become markup', async () => {
    const { html } = await open(`?token=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(html).not.toContain('<script');
  });

  test('A short password shows the form again and keeps the link, and an expired link is reported as such (M-4.6.q3c)', async () => {
    const token = await link();
    const short = await submit({ token, password: '12345' });
    expect(short.status).toBe(400);
    expect(short.html).toContain(`value="${token}"`);
    expect((await submit({ token, password: '123456' })).status).toBe(200);
    const late = await link();
    api.context.clock.advance(3_661);
    expect((await submit({ token: late, password: '123456' })).status).toBe(410);
    expect((await open('')).status).toBe(400);
    expect((await submit({})).status).toBe(400);
  });

  test('Other body formats are refused', async () => {
    const json = await api.fetch('/reset-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(json.status).toBe(415);
    expect((await submit({ token: 'x'.repeat(20_000), password: '123456' })).status).toBe(413);
  });
});

test('The pictures of a new user exist and need no credentials (M-2.7.u13, M-2.7.u14)', async () => {
  const answer = await api.call('refreshUserData', { token: (await api.user()).token });
  const shown = answer.body['user'] as Record<string, string>;
  for (const url of [shown['profilePicture'], shown['aliasPicture']]) {
    const response = await api.fetch(new URL(url ?? '').pathname);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await response.text()).toContain('<svg');
  }
  expect((await api.fetch('/pictures/..%2Fsecret')).status).toBe(404);
});
