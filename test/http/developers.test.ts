/** Self-service of developers over HTTP: what each page and action does, and who may use it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actions, pages } from '#api/developers/site.ts';
import { auditRepo } from '#store/postgres/audit/audit.ts';
import { webhookDeliveryRepo } from '#store/postgres/webhooks/deliveries.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { at, refusal } from '../support/answers.ts';
import { seenOn, signedIn } from '../support/console.ts';
import type { OperatorAtConsole } from '../support/console.ts';
import { developer, fetchDevelopers, newApplication, postDevelopers } from './developers.ts';
import type { Developer } from './developers.ts';
import { verifyAddress } from '../support/mailed-links.ts';
import { ops } from '../support/ops.ts';

let api: TestApi;
let ada: Developer;
beforeAll(async () => {
  api = await testApi();
  ada = await developer(api);
});
afterAll(() => api.close());

const login = (devKey: string) =>
  api.call('login', { devKey, data: { email: ada.user.email, password: ada.user.password } });
/** Status of the decision on the request as the console shows it; 422: it shows none. */
const decide = async (operator: OperatorAtConsole, verb: 'grant' | 'refuse', id: string): Promise<number> => {
  const page = (await operator.get('/devkey/requests')).text;
  const seen = seenOn(page, `/devkey/${verb}`, `name="id" value="${id}"`) ?? '';
  return (await operator.post(`/devkey/${verb}`, { id, seen })).status;
};
const textOf = async (path: string, who = ada) => (await who.get(path)).text;

test('Only an account with a verified address signs in, and whatever ends its sessions signs it out (G-02)', async () => {
  const user = await api.user();
  const { email, password } = user;
  const signIn = (given: string) => postDevelopers(api, '/sign-in', { email, password: given });
  const unverified = await signIn(password);
  expect([unverified.status, unverified.text.includes('is not verified yet')]).toEqual([403, true]);
  await verifyAddress(api, user);
  const wrong = await signIn('guess');
  expect([wrong.status, wrong.text.includes('Incorrect email address or password.')]).toEqual([401, true]);
  const right = await signIn(password);
  expect([right.status, right.headers.get('location')]).toEqual([303, '/developers']);
  const cookie = right.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^developers=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  const shown = async () =>
    (await fetchDevelopers(api, '', { headers: { cookie: cookie.split(';')[0] ?? '' } })).text.includes(
      email,
    );
  expect(await shown()).toBe(true);
  const rows = await api.context.postgres.db.any(sql`SELECT s::text AS row FROM developer_session s`);
  expect(JSON.stringify(rows)).not.toContain(cookie.slice('developers='.length, cookie.indexOf(';')));
  await api.call('logoutEverywhere', { token: user.token });
  expect(await shown()).toBe(false);

  const eve = await developer(api);
  expect((await eve.post('/sign-out')).headers.get('location')).toBe('/developers/sign-in');
  expect((await eve.get('')).text).not.toContain(eve.user.email);
});

test('A key is shown once and works with the permissions granted by rule; others wait for the operator (G-05)', async () => {
  const asked = { userInfo: 'FULL', library: 'yes', efb: 'yes', reason: 'An EFB for our crews' };
  const { id, key } = await newApplication(ada, { name: 'Crew <EFB>', ...asked });
  const page = await textOf(`/application?id=${id}`);
  expect([page.includes(key), page.includes('Crew &#60;EFB&#62;')]).toEqual([false, true]);
  expect(page).toContain('pending approval');
  expect(Object.keys(at(await login(key), 'user') as object)).not.toContain('apiKey');
  const operator = await signedIn(api, 'ada');
  const waiting = (await operator.get('/devkey/requests')).text;
  for (const text of ['An EFB for our crews', 'user info FULL, weather, EFB, library', ada.user.email])
    expect(waiting).toContain(text);
  expect((await operator.post('/devkey/grant', { id })).status).toBe(422);
  expect(await decide(operator, 'grant', id)).toBe(303);
  expect(await decide(operator, 'grant', id)).toBe(422);
  expect(Object.keys(at(await login(key), 'user') as object)).toContain('apiKey');
  // Less is changed at once, and more waits again, until it is refused.
  const change = (fields: Record<string, string>) =>
    ada.post('/permissions', { id, userInfo: '', subscription: '', reason: '', ...fields });
  await change({ userInfo: 'MEDIUM', subscription: 'READ' });
  expect(await textOf(`/application?id=${id}`)).toContain('user info MEDIUM, subscription READ');
  expect(await decide(operator, 'refuse', id)).toBe(303);
  const after = await textOf(`/application?id=${id}`);
  expect([after.includes('subscription READ,'), after.includes('user info MEDIUM')]).toEqual([false, true]);
  expect((await operator.get('/devkey/requests')).text).toContain('requests: none.');
});

test('An operator grants only the request that the page showed: a request replaced meanwhile is shown again (G-05)', async () => {
  const grace = await developer(api);
  const { id } = await newApplication(grace, { userInfo: 'MEDIUM', reason: 'Addresses' });
  const operator = await signedIn(api, 'ada');
  const field = `name="id" value="${id}"`;
  const seenNow = async () =>
    seenOn((await operator.get('/devkey/requests')).text, '/devkey/grant', field) ?? '';
  const asked = { id, userInfo: 'MEDIUM', subscription: '', weather: 'yes' };
  for (const form of [
    { ...asked, userInfo: 'FULL', subscription: 'FULL', reason: 'All' },
    { ...asked, reason: 'Advertising' },
  ]) {
    const seen = await seenNow();
    await grace.post('/permissions', form);
    for (const path of ['/devkey/grant', '/devkey/refuse']) {
      const { status, text } = await operator.post(path, { id, seen });
      expect([status, text.includes('has changed since it was shown')]).toEqual([409, true]);
    }
  }
  expect((await grace.get(`/application?id=${id}`)).text).toContain('user info SIMPLE, weather');
});

test('A form that keeps a permission does not restore one that the operator has withdrawn meanwhile (G-05)', async () => {
  const grace = await developer(api);
  const { id } = await newApplication(grace, { userInfo: 'FULL', reason: 'Addresses' });
  const operator = await signedIn(api, 'ada');
  await decide(operator, 'grant', id);
  const key = sql`SELECT user_info FROM developer_key WHERE id = ${Number(id)}`;
  expect(await api.context.postgres.db.one(key)).toEqual({ userInfo: 'FULL' });
  const form = { id, userInfo: 'FULL', subscription: '', weather: 'yes', reason: 'Still needed' };
  // Both at once: whichever the lock lets through first, the reduction holds.
  const reduced = ops(api.context, `devkey update --id ${id} --user-info SIMPLE --subscription none`);
  await Promise.all([reduced, grace.post('/permissions', form)]);
  await grace.post('/permissions', form);
  expect(await api.context.postgres.db.one(key)).toEqual({ userInfo: 'SIMPLE' });
});

test('A name shown to others has no invisible characters, and the device page says what a device may do', async () => {
  const grace = await developer(api);
  const form = { userInfo: 'SIMPLE', subscription: '', weather: 'yes', reason: '' };
  for (const name of ['A\u202eB', 'A\u200bB', 'A\u2028B'])
    expect((await grace.post('/create', { ...form, name })).status).toBe(422);
  const { key: devKey } = await newApplication(grace, { name: 'Panel' });
  const { body } = await api.call('deviceAuthorize', { devKey });
  const answer = await api.fetch('/device', {
    method: 'POST',
    body: new URLSearchParams({ user_code: String(body['userCode']) }),
  });
  const text = await answer.text();
  for (const words of [
    '<b>Panel</b> asks',
    'Its developer chose that name. It may use: user info SIMPLE, weather.',
  ])
    expect(text).toContain(words);
});

test('After a rotation the previous key works for a day, the one before it no longer, and a revoked key stops at once', async () => {
  const { id, key: first } = await newApplication(ada);
  const rotate = async () => /dk_[\w-]{32}/.exec((await ada.post('/rotate', { id })).text)?.[0] ?? '';
  const works = async (key: string) => (await login(key)).status;
  expect(await works(first)).toBe(200);
  const second = await rotate();
  expect([await works(first), await works(second)]).toEqual([200, 200]);
  expect(await textOf(`/application?id=${id}`)).toContain('accepted until');
  const third = await rotate();
  expect([await works(first), await works(second), await works(third)]).toEqual([401, 200, 200]);
  api.context.clock.advance(86_399);
  expect(await works(second)).toBe(200);
  api.context.clock.advance(1);
  expect([await works(second), await works(third)]).toEqual([401, 200]);
  api.context.clock.advance(-86_400);
  expect((await ada.post('/revoke', { id })).status).toBe(303);
  expect([await works(second), await works(third)]).toEqual([401, 401]);
  expect(refusal(await login(third))).toEqual([401, 'INVALID_DEV_KEY']);
  expect((await ada.post('/rotate', { id })).status).toBe(404);
});

test('Every change of a key by its owner or the operator is audited with who, what and when, and mailed to the owner (G-05)', async () => {
  const eve = await developer(api);
  const { id } = await newApplication(eve, { userInfo: 'FULL', reason: 'An EFB' });
  await eve.post('/rotate', { id });
  await eve.post('/settings', { id, name: 'Crew', returnUrlHosts: '', appScheme: 'crew' });
  const operator = await signedIn(api, 'ada');
  await decide(operator, 'grant', id);
  await eve.post('/permissions', { id, userInfo: '', subscription: '', weather: 'yes', reason: '' });
  await eve.post('/endpoints/add', { id, url: 'https://efb.example/hooks', 'plan.imported': 'yes' });
  const renewed = `devkey update --id ${id} --user-info none --weather no --efb yes`;
  expect((await ops(api.context, renewed)).status).toBe(0);
  await eve.post('/revoke', { id });
  const { postgres, clock } = api.context;
  const audit = await auditRepo(postgres.db).list({ kind: 'developer key', subject: id }, 20);
  const owner = `developer:${eve.user.id}`;
  expect(audit.map(({ who, action }) => [who.replace(/^cli:.*/, 'cli'), action])).toEqual([
    [owner, 'devkey revoke'],
    ['cli', 'devkey update'],
    [owner, 'devkey ask'],
    ['console:ada', 'devkey grant'],
    [owner, 'devkey update'],
    [owner, 'devkey rotate'],
    [owner, 'devkey create'],
  ]);
  expect(audit[2]).toMatchObject({
    at: clock.now(),
    before: { user_info: 'FULL' },
    after: { user_info: null, weather: true },
    requestId: expect.any(String),
  });
  expect(JSON.stringify(audit)).not.toMatch(/key_hash|dk_[\w-]{20}/);
  const [endpoint] = await auditRepo(postgres.db).list({ who: owner, kind: 'webhook endpoint' }, 1);
  expect(endpoint).toMatchObject({ action: 'endpoint add', before: null });
  const mails = await postgres.db.any<{ subject: string; text: string }>(
    sql`SELECT subject, body_text AS text FROM outgoing_mail WHERE recipient = ${eve.user.email} AND key LIKE 'developer-key:%' ORDER BY id`,
  );
  expect(mails.map(({ subject }) => subject)).toEqual([
    `A developer key was created: application ${id}`,
    `The developer key was rotated: application ${id}`,
    `Name, return targets or app scheme were changed: application ${id}`,
    `The permissions that you asked for were granted: application ${id}`,
    `The permissions were changed: application ${id}`,
    `The permissions were changed: application ${id}`,
    `The developer key was revoked: application ${id}`,
  ]);
  expect(mails[3]?.text).toContain('By: the operator\nPermissions now: user info FULL');
  expect(mails[6]?.text).toContain('By: your account, at /developers');
});

test('An account has at most five active applications; hosts and scheme can be edited, and invalid ones are refused with an explanation', async () => {
  const eve = await developer(api);
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push((await newApplication(eve)).id);
  const sixth = await eve.post('/create', { name: 'Sixth', userInfo: '', subscription: '' });
  expect([sixth.status, sixth.text.includes('at most 5 applications')]).toEqual([409, true]);
  const [id = ''] = ids;
  const save = (fields: Record<string, string>) =>
    eve.post('/settings', { id, name: 'Renamed', returnUrlHosts: '', appScheme: '', ...fields });
  expect((await save({ returnUrlHosts: 'efb.example, myefb:', appScheme: 'myefb' })).status).toBe(303);
  const page = await textOf(`/application?id=${id}`, eve);
  for (const text of ['Renamed', 'efb.example, myefb:', 'value="myefb"']) expect(page).toContain(text);
  const wrong = await save({ returnUrlHosts: 'no host' });
  expect([wrong.status, wrong.text.includes('is neither a host such as')]).toEqual([422, true]);
  await eve.post('/revoke', { id });
  expect((await newApplication(eve)).id).not.toBe('');
  // With the account its applications end, since nobody looks after them.
  const { token, password } = { ...eve.user };
  const deletion = await api.call('deleteAccount', { token, data: { password } });
  await api.call('deleteAccount', { token, data: { confirmationToken: deletion.body['confirmationToken'] } });
  const rows = await api.context.postgres.db.any<{ revoked: boolean }>(
    sql`SELECT revoked_at IS NOT NULL AS revoked FROM developer_key WHERE id = ANY (${ids.map(Number)}::int[])`,
  );
  expect(rows).toEqual(ids.map(() => ({ revoked: true })));
});

test('Usage shows days with errors and p95, and the last calls of this application only, with redacted bodies', async () => {
  const { id, key } = await newApplication(ada);
  const answer = await login(key);
  await api.call('login', { devKey: key, data: { email: ada.user.email, password: 'guess' } });
  await api.running.services.requestLog.flush();
  const usage = await textOf(`/usage?id=${id}`);
  const log = answer.headers.get('x-svc-log-id') ?? '';
  for (const text of [
    '2026-09-16',
    'INVALID_CREDENTIALS',
    `call?id=${id}&#38;log=${log}`,
    '<td>2</td>',
    '<td>1</td>',
  ])
    expect(usage).toContain(text);
  const call = await textOf(`/call?id=${id}&log=${log}`);
  expect(call).toContain('login');
  for (const secret of [ada.user.password, key, String(answer.body['token'])])
    expect(call).not.toContain(secret);
  const other = await newApplication(ada);
  expect((await ada.get(`/call?id=${other.id}&log=${log}`)).status).toBe(404);
  // The days that are made from now on have the index of the calls of an application.
  const { indexes } = await api.context.postgres.db.one<{ indexes: number }>(sql`
    SELECT count(*)::int AS indexes FROM pg_indexes
    WHERE tablename = 'request_log_calls_20260916' AND indexdef LIKE '%(developer_key_id, created_at)%'`);
  expect(indexes).toBe(1);
});

test('An endpoint is added with its secret shown once, and can be tested, rotated, replayed and removed', async () => {
  const { id } = await newApplication(ada);
  const secretForm = /whsec_[\w+/]{32}/;
  const added = await ada.post('/endpoints/add', {
    id,
    url: 'https://efb.example/hooks',
    'plan.imported': 'yes',
  });
  const secret = secretForm.exec(added.text)?.[0] ?? '';
  const endpoint = /endpoint=(\d+)/.exec(added.text)?.[1] ?? '';
  const of = { id, endpoint };
  expect((await ada.post('/endpoints/test', of)).status).toBe(303);
  const [sent] = await webhookDeliveryRepo(api.context.postgres.db).list(Number(endpoint), 10);
  await api.context.postgres.transaction((tx) =>
    tx.run(sql`UPDATE webhook_delivery SET next_at = NULL, attempts = 10, last_error = 'HTTP 500'`),
  );
  const page = `/endpoint?id=${id}&endpoint=${endpoint}`;
  expect(await textOf(page)).toContain('HTTP 500');
  await ada.post('/endpoints/replay', { ...of, delivery: String(sent?.id) });
  const replayed = await webhookDeliveryRepo(api.context.postgres.db).byId(sent?.id ?? 0);
  expect(replayed).toMatchObject({ attempts: 0, nextAt: api.context.clock.now() });
  const rotated = secretForm.exec((await ada.post('/endpoints/rotate', of)).text)?.[0] ?? '';
  expect([secret === '', rotated === '', secret === rotated]).toEqual([false, false, false]);
  expect(await textOf(page)).not.toMatch(secretForm);
  for (const [fields, sentence] of [
    [{ url: 'http://efb.example', 'plan.imported': 'yes' }, 'must begin with https://'],
    [{ url: 'https://192.168.1.1/x', 'plan.imported': 'yes' }, 'must lead to a public address'],
    [{ url: 'https://efb.example', 'feed.down': 'yes' }, 'Choose at least one event'],
  ] as const)
    expect((await ada.post('/endpoints/add', { id, ...fields })).text).toContain(sentence);
  await ada.post('/endpoints/remove', of);
  expect((await ada.get(page)).status).toBe(404);
});

test('Pages and actions are limited to their owner, and forms from another site or without their token are refused', async () => {
  const { id } = await newApplication(ada);
  await ada.post('/endpoints/add', { id, url: 'https://efb.example/hooks', 'plan.imported': 'yes' });
  const { endpoint } = await api.context.postgres.db.one<{ endpoint: number }>(
    sql`SELECT max(id) AS endpoint FROM webhook_endpoint`,
  );
  const eve = await developer(api);
  const fields = {
    id,
    endpoint: String(endpoint),
    delivery: '1',
    log: '1',
    name: 'Stolen',
    returnUrlHosts: '',
    appScheme: '',
  };
  const query = new URLSearchParams(fields).toString();
  const before = await api.context.postgres.db.any(
    sql`SELECT k::text AS row FROM developer_key k ORDER BY id`,
  );
  for (const path of [...pages.keys()].filter((each) => each !== ''))
    expect([path, (await eve.get(`${path}?${query}`)).status]).toEqual([path, 404]);
  const own = [...actions.keys()].filter((each) => each !== '/create');
  for (const path of own) {
    const form = { ...fields, userInfo: '', subscription: '', url: 'https://efb.example' };
    const strange = postDevelopers(api, path, form);
    const foreign = ada.post(path, form, { origin: 'https://evil.example' });
    const bare = ada.post(path, { ...form, form_token: 'x'.repeat(43) });
    const statuses = [
      (await eve.post(path, form)).status,
      (await strange).status,
      (await foreign).status,
      (await bare).status,
    ];
    expect([path, statuses]).toEqual([path, [404, 401, 403, 403]]);
  }
  expect(
    await api.context.postgres.db.any(sql`SELECT k::text AS row FROM developer_key k ORDER BY id`),
  ).toEqual(before);
  expect((await ada.get('/nowhere')).status).toBe(404);
  for (const value of ['2147483648', '-1', '1e400', 'a'.repeat(1_000), "'"])
    expect((await ada.get(`/application?id=${encodeURIComponent(value)}`)).status).toBe(404);
  expect((await ada.get('/application?id=%00')).status).toBe(400);
  expect((await fetchDevelopers(api, '', { method: 'PUT' })).status).toBe(405);
  const headers = (await ada.get('')).headers;
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
});

test('Of 20 saves within an hour the first is mailed at once, and the others in one mail when the hour ends', async () => {
  const eve = await developer(api);
  const { id } = await newApplication(eve);
  for (let n = 0; n < 20; n += 1)
    await eve.post('/settings', { id, name: `Name ${n}`, returnUrlHosts: '', appScheme: '' });
  for (let n = 0; n < 3; n += 1) await eve.post('/rotate', { id });
  const mails = () =>
    api.context.postgres.db.any<{ key: string; text: string; delaySeconds: number }>(sql`
      SELECT m.key, m.body_text AS text, extract(epoch FROM j.start_after - j.created_on)::int AS delay_seconds
      FROM outgoing_mail m JOIN pgboss.job j ON j.name = 'mail.send' AND j.data ->> 'mailId' = m.id::text
      WHERE recipient = ${eve.user.email} AND key ~ ':(settings|rotated):' ORDER BY m.id`);
  const found = await mails();
  expect(found.map(({ key }) => key.endsWith(':more'))).toEqual([false, true, false, true]);
  expect(found.map(({ delaySeconds }) => delaySeconds > 0)).toEqual([false, true, false, true]);
  expect(found[1]?.text).toContain('possibly followed by further changes');
  api.context.clock.advance(3_600);
  await eve.post('/settings', { id, name: 'Later', returnUrlHosts: '', appScheme: '' });
  expect(await mails()).toHaveLength(5);
  api.context.clock.advance(-3_600);
});

test('Call details show no addresses of people or hosts, and nothing that opens a drawing or a print', async () => {
  const eve = await developer(api);
  const { id, key } = await newApplication(eve, { efb: 'yes' });
  const headers = {
    'x-svc-client': 'Pad of third@mail.example at 2001:db8::7, /prints/0d3f8a52-5f0e-4a30-9f2f-6f1f3f3f3f3f',
  };
  const answer = await api.call('refreshUserData', { token: ada.user.token, devKey: key, headers });
  await api.running.services.requestLog.flush();
  const call = await textOf(`/call?id=${id}&log=${answer.headers.get('x-svc-log-id') ?? ''}`, eve);
  const [, main = ''] = call.split('<main');
  expect(main).toContain('Pad of [email address] at [IP address], /prints/[id]');
  for (const text of ['third@mail.example', '2001:db8::7', ada.user.email, '127.0.0.1'])
    expect(main).not.toContain(text);
});

test('The applications of a disabled account are suspended until it is enabled (G-05)', async () => {
  const eve = await developer(api);
  const { key } = await newApplication(eve);
  expect((await login(key)).status).toBe(200);
  await ops(api.context, `user disable --email ${eve.user.email}`);
  expect(refusal(await login(key))).toEqual([401, 'INVALID_DEV_KEY']);
  await ops(api.context, `user enable --email ${eve.user.email}`);
  expect((await login(key)).status).toBe(200);
});
