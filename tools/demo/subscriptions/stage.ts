/** The setting for each gateway's subscription: an account, its mails, and a table of states. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayKind } from '#domain/subscriptions/gateway.ts';
import { createClient, fetchAgain } from '../client.ts';
import type { Body, Client } from '../client.ts';
import { expectThat, table } from '../print.ts';
import type { Service } from '../service.ts';
import { mailsTo } from '../mailbox.ts';
import { signedCalls } from './signed.ts';
import { dayMs } from '#domain/time.ts';

export interface Shown {
  subscriptionId: number;
  subscriptionReference: string;
  paymentMethod: string;
  title: string;
  status: string;
  autoRenew: boolean;
  dates: { end: string; isActive: boolean };
  actions: { canCancel: boolean };
}

export interface Stage {
  kind: GatewayKind;
  userId: number;
  email: string;
  password: string;
  client: Client;
  /** The app store's id of the account. */
  storeAccountToken: string;
  /** A time after everything so far, in whole seconds like gateways; waits for it. */
  next: () => Promise<Date>;
  /** This many days after the start of the demo. */
  day: (days: number) => Date;
  /** The next rows are about this subscription. */
  follow: (reference: string) => void;
  /** A signed GET about this subscription. */
  read: (action: string) => Promise<Body>;
  /** A signed change of this subscription; a refusal ends the demo. */
  change: (action: string, data?: Body) => Promise<Body>;
  /** A signed change of this subscription, whatever it answers; the status is in `http`. */
  attempt: (action: string, data?: Body) => Promise<Body>;
  /** A change that this gateway leaves to its own page: adds a row with its address. */
  refused: (event: string, action: string, data?: Body) => Promise<void>;
  /** Posts a gateway's message; anything but its acknowledgement ends the demo. */
  post: (path: string, body: string, contentType?: string) => Promise<void>;
  /** Waits until the subscription is as stated and its mail was sent, then adds a row to the table. */
  becomes: (event: string, status: string, subject: string | null, renews?: boolean) => Promise<Shown>;
  /** Waits for the workers. */
  until: (isSo: () => boolean, sentence: string) => Promise<void>;
  print: () => void;
}

const waitMs = 200;
const tries = 300;

export const createStage = async (service: Service, kind: GatewayKind, devKey: string): Promise<Stage> => {
  const client = createClient(service.url, devKey);
  const signed = signedCalls(service.url, client);
  const email = `${kind}.${Date.now()}@example.org`;
  const person = { email, password: 'three greens and a flare', firstname: 'Renée', lastname: 'Décollage' };
  const { token, user } = (await client.call('register', person)) as {
    token: string;
    user: { id: number; storeAccountToken: string };
  };
  client.useToken(token);
  const rows: (readonly (string | null)[])[] = [];
  const startMs = Math.floor(Date.now() / 1_000) * 1_000;
  let lastMs = startMs;
  let seenMails = 0;
  let followed: string | null = null;

  const shownNow = async (): Promise<Shown | undefined> => {
    const list = (await client.call('getSubscriptions'))['subscriptions'] as Shown[];
    return list.find(({ subscriptionReference }) => subscriptionReference === followed);
  };
  const shown = async (): Promise<Shown> => {
    const found = await shownNow();
    expectThat(found, `there is no subscription ${followed}`);
    return found;
  };
  const withId = async (data: Body): Promise<Body> => ({
    subscription_id: (await shown()).subscriptionId,
    ...data,
  });
  const addRow = (event: string, { title, dates, ...state }: Shown, mails: string[], note: string | null) => {
    const access = dates.isActive ? 'yes' : 'no';
    const renewal = state.autoRenew ? 'on' : 'off';
    const cells = [event, state.paymentMethod, title, state.status, dates.end, access, renewal];
    rows.push([...cells, mails.join(', ') || note]);
  };

  return {
    kind,
    userId: user.id,
    email,
    password: person.password,
    client,
    storeAccountToken: user.storeAccountToken,
    next: async () => {
      lastMs = Math.max(lastMs + 1_000, Math.ceil(Date.now() / 1_000) * 1_000);
      await sleep(Math.max(0, lastMs - Date.now()));
      return new Date(lastMs);
    },
    day: (days) => new Date(startMs + days * dayMs),
    follow: (reference) => {
      followed = reference;
    },
    read: async (action) => {
      const answer = await signed.read(action, await withId({}));
      expectThat(answer['http'] === 200, `${action}: ${JSON.stringify(answer)}`);
      return answer;
    },
    change: async (action, data = {}) => {
      const answer = await signed.change(action, await withId(data));
      expectThat(answer['http'] === 200, `${action}: ${JSON.stringify(answer)}`);
      return answer;
    },
    attempt: async (action, data = {}) => signed.change(action, await withId(data)),
    refused: async (event, action, data = {}) => {
      const answer = await signed.change(action, await withId(data));
      const { http, manage_url: page } = answer;
      const { code } = (answer['error'] ?? {}) as Body;
      const isPage = typeof page === 'string' && page.startsWith('https://');
      const isRight = http === 422 && code === 'OPERATION_NOT_SUPPORTED' && isPage;
      expectThat(isRight, `${action} was not left to the gateway: ${JSON.stringify(answer)}`);
      addRow(event, await shown(), [], `422 ${code}, manage_url ${page}`);
    },
    post: async (path, body, contentType = 'application/x-www-form-urlencoded') => {
      const headers = { 'content-type': contentType };
      const response = await fetchAgain(`${service.url}${path}`, { method: 'POST', headers, body });
      expectThat(response.status === 200, `${path} answered ${response.status}: ${await response.text()}`);
    },
    becomes: async (event, status, subject, renews) => {
      let now: Shown | undefined;
      let mails: string[] = [];
      for (let i = 0; i < tries; i += 1) {
        now = await shownNow();
        const isSo = now?.status === status && (renews === undefined || now.autoRenew === renews);
        // Every mail of the outbox is read.
        if (isSo) mails = (await mailsTo(service.dataDir ?? '', email)).map((mail) => mail.subject);
        if (isSo && (subject === null || mails.slice(seenMails).includes(subject))) break;
        await sleep(waitMs);
      }
      expectThat(
        now?.status === status,
        `${event}: the subscription is ${now?.status ?? 'not there'}, not ${status}`,
      );
      expectThat(renews === undefined || now.autoRenew === renews, `${event}: the renewal is not as stated`);
      const sent = mails.slice(seenMails);
      expectThat(
        subject === null || sent.includes(subject),
        `${event}: no mail "${subject}" among: ${sent.join('; ')}`,
      );
      seenMails = mails.length;
      addRow(event, now, sent, null);
      return now;
    },
    until: async (isSo, sentence) => {
      for (let i = 0; i < tries && !isSo(); i += 1) await sleep(waitMs);
      expectThat(isSo(), sentence);
    },
    print: () => {
      console.log(`\n${kind}`);
      const head = [
        'event',
        'gateway',
        'plan',
        'status',
        'paid until',
        'access',
        'renewal',
        'mail or answer',
      ];
      table(head, rows);
    },
  };
};
