/** `npm run demo -- account`: the life of an account, with email address, password and sessions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from './client.ts';
import type { Body } from './client.ts';
import { mailsTo } from './mailbox.ts';
import { expectThat, step } from './print.ts';
import { startWith } from './service.ts';
import type { Service } from './service.ts';

const waitMs = 200;
const tries = 300;

/**
 * Opens the link in the latest mail with this subject and presses the button on its page. Returns the text then shown.
 */
const pressLink = async ({ dataDir, url }: Service, email: string, subject: string): Promise<string> => {
  for (let i = 0; i < tries; i += 1) {
    const mail = (await mailsTo(dataDir ?? '', email)).findLast((found) => found.subject === subject);
    const link = /https?:\S+\/confirm-email\?\S+/.exec(mail?.text ?? '')?.[0];
    if (link !== undefined) {
      const { pathname, searchParams } = new URL(link);
      const answer = await fetch(`${url}${pathname}`, { method: 'POST', body: searchParams });
      const text = await answer.text();
      expectThat(answer.ok, `${pathname} answered ${answer.status}: ${text}`);
      return /<h1[^>]*>([^<]+)/.exec(text)?.[1] ?? '';
    }
    await sleep(waitMs);
  }
  throw new Error(`no email "${subject}" to ${email}`);
};

export const account = async (): Promise<void> => {
  await using started = new AsyncDisposableStack();
  const service = started.adopt(await startWith({}), ({ stop }) => stop());
  console.log(`started ${service.url}`);
  const { key } = await service.ops('devkey', 'create', '--name', 'demo', '--user-info', 'FULL');
  expectThat(typeof key === 'string', 'no developer key was created');
  const client = createClient(service.url, key);
  const [email, newEmail] = ['demo@example.org', 'demo.new@example.org'];
  const [password, newPassword] = ['three greens and a flare', 'flaps up and after takeoff'];
  const signIn = async (query: string, data: Body): Promise<string> => {
    const answer = await client.call(query, data);
    client.useToken(String(answer['token']));
    return `token until ${String(answer['expires'])}`;
  };
  const userOf = async () => (await client.call('refreshUserData'))['user'] as Body;

  await step('register', async () => {
    const summary = await signIn('register', { email, password, firstname: 'Renée', lastname: 'Décollage' });
    expectThat((await userOf())['emailVerified'] === false, 'a new address is not verified');
    return { summary, value: null };
  });
  await step('the link in the email', async () => {
    const summary = await pressLink(service, email, 'Confirm your email address');
    expectThat((await userOf())['emailVerified'] === true, 'the address is not verified');
    return { summary, value: null };
  });
  await step('refreshToken', async () => ({ summary: await signIn('refreshToken', {}), value: null }));
  await step('changePassword', async () => ({
    summary: await signIn('changePassword', { oldPassword: password, newPassword }),
    value: null,
  }));
  await step('changeEmail', async () => {
    const { message } = await client.call('changeEmail', { password: newPassword, newEmail });
    return { summary: String(message), value: null };
  });
  await step('the link to the old one', async () => ({
    summary: await pressLink(service, email, 'Confirm the change of your email address'),
    value: null,
  }));
  await step('the link to the new one', async () => {
    const summary = await pressLink(service, newEmail, 'Confirm your new email address');
    const user = await userOf();
    expectThat(user['email'] === newEmail, `the address is ${String(user['email'])}`);
    return { summary, value: null };
  });
  await step('login', async () => ({
    summary: await signIn('login', { email: newEmail, password: newPassword }),
    value: null,
  }));
  await step('logoutEverywhere', async () => {
    await client.call('logoutEverywhere');
    return { summary: 'every token is refused from now on', value: null };
  });
  console.log('Every step passed.');
};
