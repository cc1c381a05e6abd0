import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addEndpoint, rotateSecret } from '#commands/webhooks.ts';
import { webhookDeliveryRepo, webhookDeliveryWrites } from '#store/postgres/webhooks/deliveries.ts';
import { webhookEndpointRepo, webhookEndpointWrites } from '#store/postgres/webhooks/endpoints.ts';
import { sql } from '#store/postgres/sql.ts';
import { messageOf } from '#domain/webhooks/events.ts';
import { retryDelaysSeconds } from '#domain/webhooks/retries.ts';
import { testClock, testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { startReceiver } from '#test/support/receiver.ts';
import type { Receiver } from '#test/support/receiver.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { runOnce } from '#test/support/run-once.ts';
import { until } from '#test/support/until.ts';
import webhookDeliver from './webhook-deliver.ts';

const slot = '2026-09-16T12:00:00Z';

let t: TestContext;
let receiver: Receiver;
let developerKeyId: number;
let answered: (path: string) => { status: number; headers?: Record<string, string> };
beforeAll(async () => {
  // The library compares a message's time with the clock of its machine.
  t = await testContext({ clock: testClock(new Date()), env: { WEBHOOKS_TO_PRIVATE_NETWORKS: '1' } });
  receiver = await startReceiver((response, { path }) => {
    const { status, headers = {} } = answered(path);
    response.writeHead(status, headers).end(path === '/endless' ? undefined : 'ok');
  });
});
afterAll(async () => {
  await receiver.close();
  await t.close();
});
beforeEach(async () => {
  receiver.messages.length = 0;
  answered = () => ({ status: 204 });
  await runSql(t.postgres)`DELETE FROM webhook_endpoint`;
  ({ id: developerKeyId } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO developer_key (name, key_hash, key_hint) VALUES ('My EFB', ${Buffer.from(String(Math.random()))}, 'dk')
    RETURNING id`);
});

const add = (path = '/hooks') =>
  t.postgres.transaction((tx) =>
    addEndpoint(tx, t, { developerKeyId, url: `${receiver.url}${path}`, events: ['plan.imported'] }),
  );
const say = (endpointId: number, data: Record<string, unknown> = { n: 1 }) => {
  const now = t.clock.now();
  return t.postgres.transaction((tx) =>
    webhookDeliveryWrites(tx).insert(endpointId, 'plan.imported', messageOf('plan.imported', now, data), now),
  );
};
const run = (context = t) => runOnce(webhookDeliver, context, { slot });
const delivery = async (id: number) => {
  const found = await webhookDeliveryRepo(t.postgres.db).byId(id);
  if (!found) throw new Error('no such delivery');
  return found;
};
const endpoint = (id: number) => webhookEndpointRepo(t.postgres.db).byId(id);
const mails = () =>
  t.postgres.db.any<{ to: string; text: string }>(
    sql`SELECT recipient AS "to", body_text AS text FROM outgoing_mail ORDER BY id DESC`,
  );
/** Verifies with the Standard Webhooks library; throws for a signature made with another secret. */
const verified = (secret: string, n = 0) => {
  const { body = '', headers = {} } = receiver.messages[n] ?? {};
  return new Webhook(secret).verify(body, headers as Record<string, string>);
};

test('A message is delivered once, and the Standard Webhooks library verifies it with the endpoint’s secret (G-35)', async () => {
  const { id, secret } = await add();
  const sent = await say(id, { ofpId: 'OFP-1' });
  await Promise.all([run(), run()]);
  await run();
  expect(receiver.messages).toHaveLength(1);
  expect(verified(secret)).toEqual({
    type: 'plan.imported',
    timestamp: t.clock.now().toISOString(),
    data: { ofpId: 'OFP-1' },
  });
  const other = await add('/other');
  expect(() => verified(other.secret)).toThrow('No matching signature');
  expect(receiver.messages[0]?.headers['content-type']).toBe('application/json; charset=utf-8');
  const stored = await delivery(sent);
  expect(receiver.messages[0]?.headers['webhook-id']).toBe(`msg_${stored.messageId}`);
  expect(stored).toMatchObject({ attempts: 1, nextAt: null, lastStatus: 204, lastError: null });
  expect(stored.deliveredAt).toEqual(t.clock.now());
});

test('After a rotation both secrets verify for a day, then only the new one', async () => {
  const { id, secret } = await add();
  const rotated = await t.postgres.transaction((tx) => rotateSecret(tx, t, { id }));
  await say(id);
  await run();
  expect(verified(secret)).toEqual(verified(rotated.secret));
  await runSql(t.postgres)`UPDATE webhook_endpoint SET previous_until = ${t.clock.now()} WHERE id = ${id}`;
  await say(id);
  await run();
  expect(verified(rotated.secret, 1)).toMatchObject({ type: 'plan.imported' });
  expect(() => verified(secret, 1)).toThrow('No matching signature');
});

test('A rejected message is resent with the same id for three days, then dropped, and its endpoint is disabled with a mail', async () => {
  answered = () => ({ status: 500 });
  const { id } = await add();
  const sent = await say(id);
  const started = t.clock.now();
  for (const [n, delay] of retryDelaysSeconds.entries()) {
    await run();
    const { attempts, nextAt, lastStatus, lastError } = await delivery(sent);
    expect([attempts, lastStatus, lastError]).toEqual([n + 1, 500, 'HTTP 500']);
    const waitSeconds = ((nextAt?.getTime() ?? 0) - t.clock.now().getTime()) / 1_000;
    expect(waitSeconds).toBeGreaterThanOrEqual(delay);
    expect(waitSeconds).toBeLessThanOrEqual(delay * 1.1 + 1);
    t.clock.set(new Date((nextAt?.getTime() ?? 0) - 1));
    await run();
    expect((await delivery(sent)).attempts).toBe(n + 1);
    t.clock.advance(1);
    expect((await endpoint(id))?.disabledAt).toBeNull();
  }
  expect(t.clock.now().getTime() - started.getTime()).toBeGreaterThan(3 * 86_400_000);
  await run();
  expect(await delivery(sent)).toMatchObject({ attempts: 10, nextAt: null, deliveredAt: null });
  expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await endpoint(id))?.disabledAt).toEqual(t.clock.now());
  expect((await mails())[0]).toMatchObject({
    to: t.config.OPERATOR_EMAIL,
    text: expect.stringMatching(/\/hooks of the application My EFB[^]*HTTP 500/),
  });
  // Later events wait until the endpoint is enabled again; the lost one is replayed.
  answered = () => ({ status: 200 });
  const waiting = await say(id);
  await run();
  expect((await delivery(waiting)).attempts).toBe(0);
  await t.postgres.transaction(async (tx) => {
    await webhookEndpointWrites(tx).enable(id);
    await webhookDeliveryWrites(tx).replay(sent, t.clock.now());
  });
  await run();
  expect((await delivery(waiting)).deliveredAt).toEqual(t.clock.now());
  expect((await delivery(sent)).deliveredAt).toEqual(t.clock.now());
  expect((await endpoint(id))?.failingSince).toBeNull();
});

test('Retry-After is respected, redirects are not followed, and 410 ends the endpoint at once', async () => {
  answered = (path) =>
    path === '/busy'
      ? { status: 503, headers: { 'retry-after': '900' } }
      : { status: path === '/gone' ? 410 : 302, headers: { location: `${receiver.url}/stolen` } };
  const [busy, moved, gone] = [await add('/busy'), await add('/moved'), await add('/gone')];
  const [first, second, third] = [await say(busy.id), await say(moved.id), await say(gone.id)];
  await run();
  expect((await delivery(first)).nextAt).toEqual(new Date(t.clock.now().getTime() + 900_000));
  expect(await delivery(second)).toMatchObject({ lastStatus: 302, deliveredAt: null });
  expect(receiver.messages.map(({ path }) => path).toSorted()).toEqual(['/busy', '/gone', '/moved']);
  expect((await delivery(third)).lastStatus).toBe(410);
  const states = await Promise.all(
    [busy, moved, gone].map(async ({ id }) => (await endpoint(id))?.disabledAt),
  );
  expect(states).toEqual([null, null, t.clock.now()]);
});

test('Only the beginning of an answer is read, an unreachable receiver yields a readable error, and other receivers get their messages', async () => {
  const endless = await startReceiver((response) => {
    response.writeHead(200);
    response.write('x');
  });
  const dead = await startReceiver(() => undefined);
  await dead.close();
  const [fine, silent, lost] = [await add(), await add(), await add()];
  await runSql(t.postgres)`UPDATE webhook_endpoint SET url = ${endless.url} WHERE id = ${silent.id}`;
  await runSql(t.postgres)`UPDATE webhook_endpoint SET url = ${dead.url} WHERE id = ${lost.id}`;
  const [a, b, c] = [await say(fine.id), await say(silent.id), await say(lost.id)];
  await run();
  expect((await delivery(a)).deliveredAt).toEqual(t.clock.now());
  expect((await delivery(b)).deliveredAt).toEqual(t.clock.now());
  expect(await delivery(c)).toMatchObject({
    lastStatus: null,
    lastError: expect.stringContaining('ECONNREFUSED'),
  });
  await endless.close();
});

test('Nothing is sent to a private address or to endpoints of a revoked key', async () => {
  const { id } = await add();
  const [local, named] = [await say(id), await say(id)];
  const strict = { ...t, config: { ...t.config, WEBHOOKS_TO_PRIVATE_NETWORKS: false } };
  await run(strict);
  expect((await delivery(local)).lastError).toBe('the address is not public');
  // A name that has a private address.
  const { port } = new URL(receiver.url);
  await runSql(
    t.postgres,
  )`UPDATE webhook_endpoint SET url = ${`http://localhost.:${port}/x`} WHERE id = ${id}`;
  t.clock.advance(60);
  await run(strict);
  expect((await delivery(named)).lastError).toBe('the address is not public');
  await expect(
    t.postgres.transaction((tx) =>
      addEndpoint(
        tx,
        { clock: t.clock, config: strict.config },
        { developerKeyId, url: receiver.url, events: ['plan.imported'] },
      ),
    ),
  ).rejects.toThrow('The URL must begin with https://.');
  await runSql(t.postgres)`UPDATE developer_key SET revoked_at = now() WHERE id = ${developerKeyId}`;
  const { attempts } = await delivery(named);
  t.clock.advance(86_400);
  await run();
  expect((await delivery(named)).attempts).toBe(attempts);
  expect(receiver.messages).toEqual([]);
});

test('Unresponsive receivers of four accounts delay no message of another account', async () => {
  const hanging: (() => void)[] = [];
  const silent = await startReceiver((response) => hanging.push(() => response.writeHead(204).end()));
  const newKey = async (ownerId: number | null) => {
    ({ id: developerKeyId } = await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO developer_key (name, key_hash, key_hint, owner_id)
      VALUES ('App', ${Buffer.from(String(Math.random()))}, 'dk', ${ownerId}) RETURNING id`);
  };
  for (let account = 0; account < 4; account += 1) {
    const { id: userId } = await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
      VALUES (${`slow${account}@mail.example`}, '', 'S', 'S', 'SLOW') RETURNING id`;
    await newKey(userId);
    for (let n = 0; n < 4; n += 1) {
      const { id } = await add(`/slow/${n}`);
      await runSql(t.postgres)`UPDATE webhook_endpoint SET url = ${silent.url} WHERE id = ${id}`;
      for (let message = 0; message < 4; message += 1) await say(id);
    }
  }
  await newKey(null);
  const { id } = await add('/other');
  const running = run();
  await until('they hang', () => Promise.resolve(silent.messages.length >= 4 * 4));
  // The other account's message is delivered before any hanging delivery has ended.
  const isDelivered = async (message: number) =>
    until('the message of the other account is delivered', async () => {
      const { deliveredAt } = await delivery(message);
      const { ended } = await t.postgres.db.one<{ ended: number }>(
        sql`SELECT count(*)::int AS ended FROM webhook_delivery WHERE attempts > 0 AND endpoint_id <> ${id}`,
      );
      expect(ended).toBe(0);
      return deliveredAt;
    });
  await isDelivered(await say(id));
  await isDelivered(await say(id));
  const perAccount = Map.groupBy(
    await t.postgres.db.any<{ owner: number }>(sql`
      SELECT k.owner_id AS owner FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
        JOIN developer_key k ON k.id = e.developer_key_id WHERE d.next_at > ${t.clock.now()} AND k.owner_id IS NOT NULL`),
    ({ owner }) => owner,
  );
  for (const [, sending] of perAccount) expect(sending.length).toBeLessThanOrEqual(8);
  await runSql(t.postgres)`UPDATE webhook_endpoint SET disabled_at = now() WHERE url = ${silent.url}`;
  for (const answer of hanging) answer();
  await running;
  await silent.close();
});

test('Ten simultaneous additions leave an account no more endpoints than allowed', async () => {
  const { id: userId } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
    VALUES ('many@mail.example', '', 'M', 'M', 'MANY') RETURNING id`;
  await runSql(t.postgres)`UPDATE developer_key SET owner_id = ${userId} WHERE id = ${developerKeyId}`;
  const { id: second } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO developer_key (name, key_hash, key_hint, owner_id)
    VALUES ('Second', ${Buffer.from('second')}, 'dk', ${userId}) RETURNING id`;
  const addTo = (key: number) =>
    t.postgres.transaction((tx) =>
      addEndpoint(tx, t, { developerKeyId: key, url: `${receiver.url}/x`, events: ['plan.imported'] }),
    );
  for (let n = 0; n < 8; n += 1) await addTo(developerKeyId);
  const added = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => addTo(n % 2 === 0 ? developerKeyId : second)),
  );
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
});
