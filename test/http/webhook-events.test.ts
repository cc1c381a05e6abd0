/** Webhook events sent to applications about users who are signed in with them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { webhookEvents } from '#domain/webhooks/events.ts';
import type { WebhookEvent } from '#domain/webhooks/events.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { at } from '../support/answers.ts';
import { planDocument } from '../support/ofp.ts';
import { ops } from '../support/ops.ts';
import { planOf } from '../support/plans.ts';
import { runSql } from '../support/sql.ts';

let api: TestApi;
let mine: { id: number; key: string };
let other: { id: number; key: string };
let pilot: TestUser;

const application = async (permissions: string) => {
  const { json } = await ops(api.context, `devkey create --name App ${permissions} --json`);
  const app = { id: Number(json['id']), key: String(json['key']) };
  await ops(api.context, `endpoint add --devkey ${app.id} --url https://app${app.id}.example/hooks`);
  return app;
};
const signIn = async ({ email, password }: TestUser, devKey: string) =>
  String(at(await api.call('login', { devKey, data: { email, password } }), 'token'));

beforeAll(async () => {
  api = await testApi();
  mine = await application('--efb yes --subscription READ');
  other = await application('--efb yes');
});
afterAll(() => api.close());
beforeEach(async () => {
  await runSql(api.context.postgres)`DELETE FROM webhook_delivery`;
  pilot = await api.user();
  pilot.token = await signIn(pilot, mine.key);
});

interface Told {
  app: number;
  event: WebhookEvent;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
  nextAt: Date;
}
const told = async (): Promise<Told[]> => {
  const rows = await api.context.postgres.db.any<Omit<Told, 'body'> & { body: string }>(sql`
    SELECT e.developer_key_id AS app, d.event, d.body, d.next_at
    FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id ORDER BY d.id`);
  const messages = rows.map(({ body, ...row }) => ({ ...row, body: JSON.parse(body) as Told['body'] }));
  for (const { event, body } of messages) {
    expect([event, body.type]).toEqual([event, event]);
    expect(webhookEvents[event].data.parse(body.data)).toEqual(body.data);
  }
  return messages;
};
const briefly = async () => (await told()).map(({ app, event, body }) => [app, event, body.data]);

test('Event examples match their declarations', () => {
  for (const { data, example } of Object.values(webhookEvents)) expect(data.parse(example)).toEqual(example);
});

test('An accepted share is reported once to the owner’s application (G-35)', async () => {
  const ofpId = await planOf(api, pilot);
  const friend = await api.user();
  const { body } = await api.call('ofpShare', { token: pilot.token, data: { ofpId, permission: 'edit' } });
  const { id, shareToken } = body['share'] as { id: number; shareToken: string };
  for (let n = 0; n < 2; n += 1)
    await api.call('ofpShareAccept', { token: friend.token, data: { shareToken } });
  const data = { userId: pilot.id, shareId: id, ofpId, permission: 'edit' };
  expect(await briefly()).toEqual([[mine.id, 'share.accepted', data]]);
});

test('An imported plan is reported with whether it is new, and an import without changes is not reported', async () => {
  const importPlan = (requestId: string) => {
    api.context.clock.advance(60);
    const document = planDocument({ requestId, staticId: 'S1' });
    return api.call('ofpImport', { token: pilot.token, data: { source: 'json', document, ifChanged: true } });
  };
  const ofpId = at(await importPlan('1'), 'ofpId');
  await importPlan('1');
  await importPlan('2');
  expect(await briefly()).toMatchObject([
    [mine.id, 'plan.imported', { userId: pilot.id, ofpId, isNew: true }],
    [mine.id, 'plan.imported', { userId: pilot.id, ofpId, isNew: false }],
  ]);
});

test('A subscription change is reported only to applications with permission to see subscriptions', async () => {
  await signIn(pilot, other.key);
  await ops(api.context, `subscription grant --email ${pilot.email} --product EFB_PRO_M --days 10`);
  const [first, ...more] = await told();
  expect([first?.app, first?.body.data, more]).toEqual([
    mine.id,
    {
      userId: pilot.id,
      subscriptionId: expect.any(Number),
      productCode: 'EFB_PRO_M',
      hasAccess: true,
      autoRenew: false,
      startsAt: api.context.clock.now().toISOString(),
      endsAt: expect.stringMatching(/Z$/),
    },
    [],
  ]);
});

test('An announcement is reported to every application at its time of publication', async () => {
  const now = api.context.clock.now();
  const at10 = new Date(now.getTime() + 600_000);
  const publish = (...more: string[]) =>
    ops(api.context, 'announcement publish --body Text --title', ...more);
  expect((await publish('Now')).status).toBe(0);
  expect((await publish('Later', '--published-at', at10.toISOString())).status).toBe(0);
  const messages = await told();
  expect(messages.map(({ app, body, nextAt }) => [app, body.data['title'], body.timestamp, nextAt])).toEqual(
    [mine, other]
      .flatMap(({ id }) => [
        [id, 'Now', now.toISOString(), now],
        [id, 'Later', at10.toISOString(), at10],
      ])
      .toSorted((a, b) => String(b[1]).localeCompare(String(a[1]))),
  );
});

test('An application receives nothing more after its user has signed out or its endpoint is removed', async () => {
  const importPlan = () => {
    api.context.clock.advance(60);
    return api.call('ofpImport', { token: pilot.token, data: { source: 'json', document: planDocument() } });
  };
  const before = pilot.token;
  pilot.token = await signIn(pilot, other.key);
  await api.call('logout', { token: before });
  await importPlan();
  expect(await briefly()).toMatchObject([[other.id, 'plan.imported', {}]]);
  const { json } = await ops(api.context, `endpoint list --devkey ${other.id} --json`);
  const [endpoint] = json['endpoints'] as { id: number }[];
  await ops(api.context, `endpoint remove --id ${endpoint?.id} --yes`);
  expect(await briefly()).toEqual([]);
  await importPlan();
  expect(await briefly()).toEqual([]);
});

test('The operator adds, tests, rotates and replays an endpoint, sees each secret once, and leaves audit rows (G-05)', async () => {
  const run = async (line: string) => (await ops(api.context, `endpoint ${line} --json`)).json;
  const added = await run(`add --devkey ${mine.id} --url https://efb.example/hooks --events feed.down`);
  expect(added['secret']).toMatch(/^whsec_[\w+/]{32}$/);
  const id = Number(added['id']);
  const { delivery } = await run(`test --id ${id}`);
  const rotated = await run(`rotate --id ${id}`);
  expect(rotated['secret']).not.toBe(added['secret']);
  await runSql(api.context.postgres)`UPDATE webhook_delivery SET next_at = NULL, attempts = 3`;
  expect(await run(`replay --delivery ${String(delivery)}`)).toMatchObject({ ok: true });
  const shown = await run(`show --id ${id}`);
  expect(shown['deliveries']).toMatchObject([
    { event: 'webhook.test', attempts: 0, nextAt: expect.anything() },
  ]);
  const listed = JSON.stringify([
    shown,
    await run('list'),
    (await ops(api.context, 'audit list --json')).json,
  ]);
  for (const { secret } of [added, rotated]) expect(listed).not.toContain(String(secret));
  for (const action of ['add', 'test', 'rotate', 'replay']) expect(listed).toContain(`endpoint ${action}`);
  for (const [line, sentence] of [
    [`add --devkey ${mine.id} --url http://efb.example`, 'must begin with https://'],
    [`add --devkey ${mine.id} --url https://10.0.0.1/x`, 'must lead to a public address'],
    [`add --devkey ${mine.id} --url https://u:p@efb.example`, 'user name or password'],
    [`add --devkey ${mine.id} --url https://efb.example --events x`, 'is not an event'],
    ['add --devkey 999 --url https://efb.example', 'no developer key 999'],
    ['rotate --id 999', 'no endpoint 999'],
    ['test --id 999', 'no endpoint 999'],
    ['replay --delivery 999999', 'no delivery'],
  ] as const)
    expect(JSON.stringify(await run(line))).toContain(sentence);
});
