/**
 * Harm that one account can do through its applications and uploads: usage pages, large files, hanging
 * receivers.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashOfSecret, newWebhookSecret, seal } from '#store/auth/secrets.ts';
import { sql } from '#store/postgres/sql.ts';
import { webhookDeliveryWrites } from '#store/postgres/webhooks/deliveries.ts';
import { webhookEndpointWrites } from '#store/postgres/webhooks/endpoints.ts';
import { messageOf } from '#domain/webhooks/events.ts';
import { keepAlive, send } from '#test/support/abuse/clients.ts';
import { pdfOf } from '#test/support/documents.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { benchKey } from '../support/accounts.ts';
import { below } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { benchSecrets } from '../support/secrets.ts';
import { quantile } from './target.ts';
import type { Attack, Target } from './target.ts';

const owner = 'b60@example.org';
const from = { 'x-forwarded-for': '203.0.113.91' };

/** Id of a new application of an account. */
const application = async ({ postgres }: Target, name: string, email = owner): Promise<number> => {
  const { id } = await postgres.transaction((tx) =>
    tx.one<{ id: number }>(sql`
      INSERT INTO developer_key (name, key_hash, key_hint, owner_id)
      SELECT ${name}, ${randomBytes(32)}, 'dk', id FROM app_user WHERE email = ${email} RETURNING id`),
  );
  return id;
};

/** Usage pages of an application with 100,000 calls. */
export const usagePages = async (target: Target): Promise<Attack> => {
  const { postgres, url } = target;
  const id = await application(target, 'Usage');
  const run = runSql(postgres);
  await run`SELECT request_log_make_day(d::date) FROM generate_series(now() - interval '1 day', now(), interval '1 day') d`;
  await run`
    INSERT INTO request_log (id, created_at, body_id, body_slot, duration_ms, developer_key_id, status, is_calculation, request_id, query)
    SELECT n + 1000000000, now() - n * interval '10 ms', 0, 0, n % 100, ${id}, 200, false, 'bench', 'weather'
    FROM generate_series(1, 100000) n`;
  await run`UPDATE app_user SET email_verified_at = now() WHERE email = ${owner}`;
  const secret = randomBytes(32).toString('base64url');
  await run`
    INSERT INTO developer_session (user_id, secret_hash, token_generation, created_at, expires_at)
    SELECT id, ${hashOfSecret(secret)}, token_generation, now(), now() + interval '1 hour' FROM app_user WHERE email = ${owner}`;
  const agent = keepAlive(20);
  const headers = { ...from, cookie: `developers=${secret}` };
  return {
    name: '20 pages of usage of 100,000 calls',
    accounts: 1,
    calls: 20,
    call: () => send(`${url}/developers/usage?id=${id}`, { agent, method: 'GET', headers }),
  };
};

/** Uploads whose content differs from what was announced, which shows only once it is read. */
export const wholeFiles = async ({ url, tokens }: Target): Promise<Attack> => {
  const bytes = pdfOf('abuse', 20_000_000);
  const headers = { ...from, authorization: `Bearer ${tokens.at(-1)}`, 'x-dev-key': benchKey };
  const json = { ...headers, 'content-type': 'application/json' };
  const sha256 = createHash('sha256').update('other bytes').digest('hex');
  const data = { name: 'a.pdf', bytes: bytes.length, sha256 };
  const begun = await fetch(`${url}/api`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ query: 'libraryUploadBegin', data }),
  });
  const { upload } = (await begun.json()) as { upload?: { path: string; uploadId: string } };
  if (!upload) throw new Error(`libraryUploadBegin answered ${begun.status}`);
  const sent = await fetch(`${url}${upload.path}`, {
    method: 'PATCH',
    headers: {
      ...headers,
      'content-type': 'application/offset+octet-stream',
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
    },
    body: new Uint8Array(bytes),
  });
  if (sent.status !== 204) throw new Error(`the bytes of the upload were answered ${sent.status}`);
  const agent = keepAlive(30);
  const body = [JSON.stringify({ query: 'libraryUpload', data: { uploadId: upload.uploadId } })];
  return {
    name: '30 refused uploads of 20 MB in pieces',
    accounts: 1,
    calls: 30,
    call: () => send(`${url}/api`, { agent, headers: json, body }),
  };
};

const messages = 20;
/** Their messages would occupy every slot of a worker. */
const hangingOwners = [57, 58, 59, 60].map((n) => `b${n}@example.org`);

/** Delivery time of each message to an application, in ms, while all receivers of four accounts hang. */
export const webhooks = async (target: Target): Promise<Row[]> => {
  const { postgres } = target;
  const arrived = new Map<string, number>();
  const receiver = await startReceiver((response, { path, body }) => {
    if (path === '/hangs') return;
    arrived.set(body, performance.now());
    response.writeHead(204).end();
  });
  const endpoint = (developerKeyId: number, path: string) =>
    postgres.transaction((tx) =>
      webhookEndpointWrites(tx).insert({
        developerKeyId,
        url: `${receiver.url}${path}`,
        events: ['plan.imported'],
        secretSealed: seal(newWebhookSecret(), 'webhook seal', [benchSecrets.ENCRYPTION_KEYS]),
        createdAt: new Date(),
      }),
    );
  const say = async (to: number, data: object): Promise<string> => {
    const body = messageOf('plan.imported', new Date(), { ...data });
    await postgres.transaction((tx) =>
      webhookDeliveryWrites(tx).insert(to, 'plan.imported', body, new Date()),
    );
    return body;
  };
  const other = await endpoint(1, '/other');
  const measured = async (round: string): Promise<number[]> => {
    const sent = new Map<string, number>();
    for (let n = 0; n < messages; n += 1) {
      const at = performance.now();
      sent.set(await say(other, { round, n }), at);
      await sleep(500);
    }
    await until('all messages', () => Promise.resolve([...sent.keys()].every((body) => arrived.has(body))));
    return [...sent].map(([body, at]) => (arrived.get(body) ?? Infinity) - at);
  };
  const worker = await target.startWorker({ WEBHOOKS_TO_PRIVATE_NETWORKS: '1' });
  // Its jobs start at the next full minute.
  const first = await say(other, {});
  await until('the first message', () => Promise.resolve(arrived.has(first)));
  const quiet = quantile(await measured('quiet'), 0.99);
  for (const email of hangingOwners) {
    const slow = await application(target, 'Slow', email);
    for (let n = 0; n < 10; n += 1) {
      const to = await endpoint(slow, '/hangs');
      for (let each = 0; each < 4; each += 1) await say(to, {});
    }
  }
  const now = quantile(await measured('hanging'), 0.99);
  worker.child.kill();
  await receiver.close();
  return [
    below(
      '40 receivers of 4 accounts that hang: others p99',
      now,
      3 * quiet,
      'ms',
      ` (quiet ${quiet.toFixed(0)} ms)`,
    ),
  ];
};
