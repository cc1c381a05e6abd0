/** What each gateway's life of a subscription is played on: an account, its mails, and a table of its states. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../client.ts';
import type { Body } from '../client.ts';
import { expectThat, table } from '../print.ts';
import type { Service } from '../service.ts';

export interface Shown {
  subscriptionId: number;
  title: string;
  status: string;
  autoRenew: boolean;
  dates: { end: string; isActive: boolean };
}

export interface Stage {
  userId: number;
  /** What the app store calls the account. */
  storeAccountToken: string;
  /** A signed action, signed and confirmed by the service (G-20); null for the error that it answers. */
  act: (action: string, data: Body) => Promise<Body>;
  /** Posts a message of a gateway; anything but its receipt ends the demo. */
  post: (path: string, body: string, contentType?: string) => Promise<void>;
  /** Waits until the subscription is as stated and its mail was sent, then adds a row to the table. */
  becomes: (event: string, status: string, subject: string | null) => Promise<Shown>;
  print: () => void;
}

const waitMs = 200;
const tries = 150;

/** Subjects of the mails to this account, oldest first. */
const mailsTo = async (dataDir: string, email: string): Promise<string[]> => {
  const folder = join(dataDir, 'outbox');
  const files = await readdir(folder).catch((error: unknown) => {
    // Created with the first mail.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const mails = await Promise.all(
    files
      .filter((name) => name.endsWith('.eml'))
      .map(async (name) => {
        const path = join(folder, name);
        return { at: (await stat(path)).mtimeMs, text: await readFile(path, 'utf8') };
      }),
  );
  return mails
    .filter(({ text }) => text.includes(email))
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => /^Subject: (.+)$/m.exec(text)?.[1] ?? '');
};

export const createStage = async (service: Service, gateway: string, devKey: string): Promise<Stage> => {
  const client = createClient(service.url, devKey);
  const email = `${gateway}.${Date.now()}@example.org`;
  const person = { email, password: 'three greens and a flare', firstname: 'Renée', lastname: 'Décollage' };
  const { token, user } = (await client.call('register', person)) as {
    token: string;
    user: { id: number; storeAccountToken: string };
  };
  client.useToken(token);
  const rows: (readonly (string | null)[])[] = [];
  let seenMails = 0;

  const list = async (): Promise<Shown[]> =>
    (await client.call('getSubscriptions'))['subscriptions'] as Shown[];

  return {
    userId: user.id,
    storeAccountToken: user.storeAccountToken,
    act: async (action, data) => {
      const signed = await client.call('subscriptionSignature', { action });
      const subscriptionId = data['subscription_id'];
      const confirmed = await client.call('subscriptionConfirmation', { action, subscriptionId });
      const response = await fetch(`${service.url}/subscription.php?action=${action}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': String(signed['apiKey']),
          'x-timestamp': String(signed['timestamp']),
          'x-signature': String(signed['signature']),
        },
        body: JSON.stringify({ ...data, confirmation_token: confirmed['confirmation_token'] }),
      });
      return { http: response.status, ...((await response.json()) as Body) };
    },
    post: async (path, body, contentType = 'application/x-www-form-urlencoded') => {
      const headers = { 'content-type': contentType };
      const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
      expectThat(response.status === 200, `${path} answered ${response.status}: ${await response.text()}`);
    },
    becomes: async (event, status, subject) => {
      let shown: Shown | undefined;
      let mails: string[] = [];
      for (let i = 0; i < tries; i += 1) {
        [shown] = await list();
        mails = await mailsTo(service.dataDir ?? '', email);
        if (shown?.status === status && (subject === null || mails.slice(seenMails).includes(subject))) break;
        await new Promise((done) => setTimeout(done, waitMs));
      }
      expectThat(
        shown?.status === status,
        `${event}: the subscription is ${shown?.status ?? 'not there'}, not ${status}`,
      );
      const sent = mails.slice(seenMails);
      expectThat(subject === null || sent.includes(subject), `${event}: no mail "${subject}"`);
      seenMails = mails.length;
      const { title, dates, autoRenew } = shown;
      const access = dates.isActive ? 'yes' : 'no';
      rows.push([event, title, status, dates.end, access, autoRenew ? 'on' : 'off', sent.join(', ') || null]);
      return shown;
    },
    print: () => {
      console.log(`\n${gateway}`);
      table(['event', 'plan', 'status', 'paid until', 'access', 'renewal', 'mail'], rows);
    },
  };
};
