import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testContext, testFolder } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { ops } from '#test/support/ops.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const publish = (...more: string[]) => ops(t, 'announcement publish --json --title T', ...more);
const states = async () => {
  const { json } = await ops(t, 'announcement list --json');
  return (json['announcements'] as { title: string; state: string }[]).map(
    ({ title, state }) => `${title} ${state}`,
  );
};

test('An announcement is published, listed, withdrawn, restored and expired (G-05)', async () => {
  const made = await publish('--body', 'First');
  expect(made.json).toMatchObject({ ok: true, announcement: { title: 'T', body: 'First' } });
  const { id } = made.json['announcement'] as { id: number };
  expect(await states()).toEqual(['T current']);
  await ops(t, `announcement withdraw --id ${id}`);
  expect(await states()).toEqual(['T inactive']);
  await ops(t, `announcement restore --id ${id}`);
  expect((await ops(t, `announcement expire --id ${id}`)).status).toBe(0);
  expect(await states()).toEqual(['T expired']);
  await ops(t, 'announcement publish --body x --published-at 2026-09-17T12:00:00Z --title Later');
  expect(await states()).toEqual(['Later scheduled', 'T expired']);
  expect((await ops(t, 'announcement list --limit 1')).out).toMatch(
    /^id +state +publishedAt .*\n\d+ +scheduled +2026-09-17 12:00Z +- +markdown +Later$/,
  );
  for (const verb of ['expire', 'withdraw', 'restore'])
    expect((await ops(t, `announcement ${verb} --id 99999 --json`)).json).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
  expect((await ops(t, `announcement expire --id ${id}`)).status).toBe(1);
});

test('The body in a file is sanitised for its format before it is stored (M-2.12.a4, M-2.12.a5)', async () => {
  const file = join(await testFolder(), 'body.html');
  await writeFile(file, '<p onclick="a()">Text<script>alert(1)</script></p>\n');
  const { json } = await publish('--body-format', 'html', '--body-file', file);
  expect(json).toMatchObject({ announcement: { bodyFormat: 'html', body: '<p>Text</p>' } });
});

test.each([
  ['no body', []],
  ['two bodies', ['--body', 'x', '--body-file', 'x']],
  ['a time in the past', ['--body', 'x', '--published-at', '2026-09-16T11:59:59Z']],
  ['a time without a date', ['--body', 'x', '--published-at', 'tomorrow']],
  ['links that are not JSON', ['--body', 'x', '--action-links', '[']],
  ['a link with a script', ['--body', 'x', '--action-links', '[{"label":"x","url":"javascript:alert(1)"}]']],
  ['an unknown format', ['--body', 'x', '--body-format', 'rtf']],
])('A misused verb is a usage error: %s', async (_, more) => {
  expect((await publish(...more)).json).toMatchObject({ ok: false, error: { code: 'USAGE' } });
});

test.each([
  ['contentUrl', ['--body', 'x', '--content-url', 'javascript:alert(1)']],
  ['expiresAt', ['--body', 'x', '--expires-at', '2026-09-16T12:00:00Z']],
])('An invalid %s is refused and nothing is published', async (field, more) => {
  const before = await states();
  const { json } = await publish(...more);
  expect(json).toMatchObject({
    error: { code: 'INVALID', message: expect.stringContaining(`${field}: `) as string },
  });
  expect(await states()).toEqual(before);
});

test('A body with nothing left after sanitising is refused', async () => {
  const { json } = await publish('--body', '<script>x</script>', '--body-format', 'html');
  expect(json).toMatchObject({ error: { code: 'INVALID_BODY' } });
});
