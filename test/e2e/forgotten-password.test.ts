import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadWorkerJobs } from '#workers/worker-job.ts';
import type { JobConsumer } from '#domain/jobs/port.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';

let api: TestApi;
let consumer: JobConsumer;
beforeAll(async () => {
  api = await testApi();
  consumer = await api.context.queues.createConsumer();
  const handlers = (await loadWorkerJobs()).map((job) => job.bind(api.context));
  await consumer.consume('durable', handlers, 2);
});
afterAll(async () => {
  await consumer.stop(5_000);
  await api.close();
});

/** Mails in the outbox, oldest first, once the expected number has arrived. */
const mails = async (count: number) => {
  const folder = join(api.context.config.DATA_DIR, 'outbox');
  const names = await expect
    .poll(async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')), {
      timeout: 240_000,
    })
    .toHaveLength(count)
    .then(() => readdir(folder));
  return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
};
const drained = () =>
  expect
    .poll(
      async () =>
        (await api.context.queues.counts()).reduce((sum, queue) => sum + queue.waiting + queue.active, 0),
      { timeout: 240_000 },
    )
    .toBe(0);

test('A forgotten password is reset, from the request to the redirect (J-12, M-4.6.q3e, M-4.6.q2b, M-8.15)', async () => {
  const devKey = await api.key({ returnUrlHosts: ['myefb:'] });
  const user = await api.user();
  const ask = (email: string) =>
    api.call('requestPasswordReset', { devKey, data: { email, returnUrl: 'myefb://login' } });

  const known = await ask(user.email);
  const unknown = await ask('nobody@example.org');
  expect(unknown.body).toEqual(known.body);
  // The registration has sent the other one.
  const mail = (await mails(2)).find(({ subject }) => subject === 'Reset your password');
  expect(mail).toMatchObject({ to: [{ address: user.email }], subject: 'Reset your password' });

  expect((await ask(user.email)).body).toEqual(known.body);
  await drained();
  await mails(2);

  const link = /https?:\/\/\S+\/reset-password\?token=[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? '';
  const { pathname, search } = new URL(link);
  const form = await (await api.fetch(pathname + search)).text();
  const token = /name="token" value="([^"]+)"/.exec(form)?.[1] ?? '';
  const submit = () =>
    api.fetch('/reset-password', {
      method: 'POST',
      body: new URLSearchParams({ token, password: 'after the reset' }),
    });
  const done = await submit();
  expect(done.status).toBe(200);
  expect(await done.text()).toContain('<meta http-equiv="refresh" content="2;url=myefb://login">');

  expect(refusal(await api.call('refreshUserData', { token: user.token }))).toEqual([401, 'AUTH_REQUIRED']);
  expect((await submit()).status).toBe(400);
  const login = (password: string) => api.call('login', { devKey, data: { email: user.email, password } });
  expect((await login(user.password)).status).toBe(401);
  expect((await login('after the reset')).status).toBe(200);
});
