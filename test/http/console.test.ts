/** The console over HTTP: the rules of every page and action, and what each action leaves behind. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRepo } from '#data/postgres/audit/log.ts';
import { sql } from '#data/postgres/sql.ts';
import { loadSections } from '#api/console/registry.ts';
import { consoleSite } from '#api/console/site.ts';
import { siteRoutes } from '#api/site/site.ts';
import type { ConsoleSection } from '#api/console/define.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import {
  consoleScene,
  consoleToken,
  fetchConsole,
  longError,
  postForm,
  signedIn,
} from '../support/console.ts';
import type { ConsoleAnswer, ConsoleScene, OperatorAtConsole } from '../support/console.ts';
import { ops } from '../support/ops.ts';

let api: TestApi;
let scene: ConsoleScene;
let ada: OperatorAtConsole;
let sections: readonly ConsoleSection[];
beforeAll(async () => {
  api = await testApi({ env: { TRUSTED_PROXIES: '1' } });
  scene = await consoleScene(api);
  ada = await signedIn(api, 'ada');
  sections = await loadSections();
});
afterAll(() => api.close());

const entries = () => auditRepo(api.context.postgres.db).list({}, 1_000);
const actions = () => sections.flatMap((section) => section.actions);
const pages = () => sections.flatMap((section) => section.pages);

/** A form of every action, in an order in which each can be done, and what it changes. */
const forms = (): [string, Record<string, string>, string][] => {
  const { pilot, letters, messageId, reportId, subscriptionId, askingIds } = scene;
  const [first = '', second = ''] = letters;
  const [user, shown] = [{ id: String(pilot.id) }, 'user info FULL, weather, library'];
  const subscription = { id: String(subscriptionId) };
  const product = { code: 'EFB_PRO_M', title: 'Pro', level: '3', 'duration-days': '30', price: '12.50' };
  const announcement = { title: 'New', summary: '', body: 'Text', bodyFormat: 'plain', publishedAt: '' };
  return [
    ['/feeds/run', { feed: 'metar' }, 'feed metar'],
    ['/queues/retry', { id: first }, `dead letter ${first}`],
    ['/queues/discard', { id: second }, `dead letter ${second}`],
    ['/users/grant', { ...user, product: 'EFB_PRO_M', days: '' }, `subscription ${subscriptionId + 1}`],
    ['/users/gift', { ...user, calculations: '5' }, `user ${pilot.id}`],
    ['/users/disable', user, `user ${pilot.id}`],
    ['/users/enable', user, `user ${pilot.id}`],
    [
      '/keys/create',
      { name: 'App', user_info: 'FULL', subscription: '', weather: 'yes', hosts: 'efb.example, myefb:' },
      'developer key 4',
    ],
    ['/keys/revoke', { id: '4' }, 'developer key 4'],
    ['/keys/grant', { id: String(askingIds[0]), shown }, `developer key ${askingIds[0]}`],
    ['/keys/refuse', { id: String(askingIds[1]), shown }, `developer key ${askingIds[1]}`],
    [
      '/products/update',
      {
        ...product,
        'max-calculation': '9',
        'library-quota-mb': '7',
        'storage-quota-mb': '8',
        'max-checklists': '6',
        'is-active': 'yes',
      },
      'product EFB_PRO_M',
    ],
    ['/subscriptions/extend', { ...subscription, days: '3' }, `subscription ${subscriptionId}`],
    ['/subscriptions/cancel', subscription, `subscription ${subscriptionId}`],
    ['/subscriptions/end', subscription, `subscription ${subscriptionId}`],
    ['/subscriptions/retry-message', { id: String(messageId) }, `message ${messageId}`],
    ['/reports/close', { id: String(reportId) }, `report ${reportId}`],
    ['/checklists/dismiss', { id: '1' }, 'checklist report 1'],
    ['/checklists/unshare', { id: scene.checklistId }, `checklist ${scene.checklistId}`],
    ['/announcements/publish', { ...announcement, expiresAt: '2026-12-01T10:00' }, 'announcement 2'],
    ['/announcements/expire', { id: '1' }, 'announcement 1'],
  ];
};

/** Every page with parameters that exist. */
const addresses = (): string[] => [
  '/overview',
  `/overview/call?search=${scene.logId}`,
  '/feeds',
  '/feeds/show?feed=taf',
  '/queues',
  `/queues/show?id=${scene.letters[0]}`,
  '/users',
  `/users/show?id=${scene.pilot.id}`,
  '/keys',
  '/products',
  '/products/show?code=EFB_PRO_M',
  '/subscriptions',
  `/subscriptions/show?id=${scene.subscriptionId}`,
  '/subscriptions/messages?state=parked',
  '/reports',
  `/reports/show?id=${scene.reportId}`,
  '/checklists',
  '/checklists/show?id=1',
  '/announcements',
  '/airlines',
  '/airlines/show?id=1',
  '/audit',
];
const pathOf = (address: string): string => address.split('?')[0] ?? '';

test('Every page needs a session, forbids scripts and caching, and escapes what users wrote (M-5.8)', async () => {
  expect(addresses().map(pathOf)).toEqual(pages().map(({ path }) => path));
  for (const address of addresses()) {
    const without = await fetchConsole(api, address);
    expect([address, without.status, without.headers.get('location')]).toEqual([
      address,
      303,
      '/console/sign-in',
    ]);
    const { status, text, headers } = await ada.get(address);
    expect([address, status]).toEqual([address, 200]);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'self'; .*form-action 'self'; .*frame-ancestors 'none'$/,
    );
    expect(policy).not.toMatch(/script|unsafe/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect([address, /<script|<b>Ada| style=|<here>/.test(text)]).toEqual([address, false]);
    expect([address, text.includes(scene.pilot.email) && text.includes('API-')]).toEqual([address, false]);
  }
  const { text: user } = await ada.get(`/users/show?id=${scene.pilot.id}`);
  expect(user).toContain('&#60;b&#62;Ada&#60;/b&#62; Pilot');
  expect((await ada.get('/feeds/show?feed=taf')).text).toContain(longError);
  expect((await ada.get(`/reports/show?id=${scene.reportId}`)).text).toContain('refreshUserData');
  for (const [address, status] of [
    ['/nowhere', 404],
    ['/users/show?id=x', 404],
    ['/users/show?id=999999', 404],
    ['/feeds/show', 404],
    ['/feeds/run', 404],
    ['/users?page=-1', 200],
  ] as const)
    expect([address, (await ada.get(address)).status]).toEqual([address, status]);
});

test('No action is done without a session, without the token of the form, or from elsewhere', async () => {
  const list = [...forms(), ['/sign-out', {}, ''] as const];
  expect(forms().map(([path]) => path)).toEqual(actions().map(({ path }) => path));
  const before = await entries();
  const refusals: readonly [
    string,
    number,
    (path: string, fields: Record<string, string>) => Promise<number>,
  ][] = [
    ['no session', 401, async (path, fields) => (await postForm(api, path, fields)).status],
    [
      'unknown session',
      401,
      async (path, fields) => (await postForm(api, path, fields, { cookie: 'console=x' })).status,
    ],
    [
      'no form token',
      403,
      async (path, fields) => (await ada.post(path, { ...fields, form_token: '' })).status,
    ],
    [
      'other form token',
      403,
      async (path, fields) => (await ada.post(path, { ...fields, form_token: 'x'.repeat(43) })).status,
    ],
    [
      'foreign origin',
      403,
      async (path, fields) => (await ada.post(path, fields, { origin: 'https://evil.example' })).status,
    ],
    ['origin null', 403, async (path, fields) => (await ada.post(path, fields, { origin: 'null' })).status],
    [
      'other site',
      403,
      async (path, fields) => (await ada.post(path, fields, { 'sec-fetch-site': 'same-site' })).status,
    ],
    [
      'no origin at all',
      403,
      async (path, fields) =>
        (
          await fetchConsole(api, path, {
            method: 'POST',
            body: new URLSearchParams({ ...fields, form_token: ada.formToken }),
            headers: { cookie: ada.cookie },
          })
        ).status,
    ],
    [
      'not a form',
      415,
      async (path) => (await ada.post(path, {}, { 'content-type': 'application/json' })).status,
    ],
  ];
  for (const [path, fields] of list)
    for (const [reason, status, send] of refusals)
      expect([path, reason, await send(path, fields)]).toEqual([path, reason, status]);
  expect((await ada.get('/feeds/run?feed=metar')).status).toBe(404);
  const put = await fetchConsole(api, '/feeds/run', { method: 'PUT' });
  expect([put.status, put.headers.get('content-type')]).toEqual([405, 'text/html; charset=utf-8']);
  expect(await entries()).toEqual(before);
});

test('An invalid parameter or field gets a page, never a 5xx, and changes nothing', async () => {
  const hostile = ['2147483648', '-1', '1e400', '\0', 'a'.repeat(1_000), "'", '[object Object]', '０'];
  const html = 'text/html; charset=utf-8';
  const failures: string[] = [];
  const check = (what: string, { status, headers }: ConsoleAnswer, isRefused: boolean) => {
    const isFine = isRefused ? status >= 400 && status < 500 : status < 500;
    if (!isFine || headers.get('content-type') !== html) failures.push(`${what}: ${status}`);
  };
  const names = [
    'id',
    'feed',
    'code',
    'state',
    'page',
    'search',
    'kind',
    'subject',
    'who',
    'action',
    'since',
  ];
  for (const { path } of pages())
    for (const value of hostile) {
      const query = new URLSearchParams(names.map((name) => [name, value])).toString();
      check(JSON.stringify([path, value]), await ada.get(`${path}?${query}`), value === '\0');
    }
  const before = await entries();
  const numbers = ['id', 'days', 'calculations', 'level', 'duration-days', 'price'];
  for (const [path, fields] of forms())
    for (const name of Object.keys(fields))
      for (const value of numbers.includes(name) ? ['2147483648', '-1', '1e400', '\0'] : ['\0', 'a\0']) {
        const answer = await ada.post(path, { ...fields, [name]: value });
        check(JSON.stringify([path, name, value]), answer, true);
      }
  expect(failures).toEqual([]);
  expect(await entries()).toEqual(before);
  const { text } = await ada.post('/keys/create', {
    name: 'a\0',
    user_info: '',
    subscription: '',
    hosts: '',
  });
  expect(text).toContain('name contains the NUL character, which cannot be stored');
});

test('Every action leaves one audit row under the name of its token with before, after and the request (G-05)', async () => {
  for (const [path, fields, subject] of forms()) {
    const before = await entries();
    const answer = await ada.post(path, fields, { 'x-request-id': `request-of${path.replaceAll('/', '-')}` });
    expect([path, answer.status, answer.text.match(/role="alert"[^<]*>([^<]*)/)?.[1]]).toEqual([
      path,
      path === '/keys/create' ? 200 : 303,
      undefined,
    ]);
    const [entry, ...older] = await entries();
    expect(older).toEqual(before);
    expect(entry).toMatchObject({
      who: 'console:ada',
      action: actions().find((action) => action.path === path)?.audit,
      requestId: `request-of${path.replaceAll('/', '-')}`,
    });
    expect(`${entry?.kind} ${entry?.subject}`).toBe(subject);
  }
  const found = await entries();
  const of = (action: string) => found.find((entry) => entry.action === action);
  expect(of('product update')).toMatchObject({ before: { price_minor: 999 }, after: { price_minor: 1_250 } });
  expect(of('user disable')).toMatchObject({ before: { disabled_at: null }, after: { id: scene.pilot.id } });
  expect(of('jobs retry')).toMatchObject({ after: { state: 'queued' } });
  expect((await api.context.queues.deadLetters()).length).toBe(0);
  const queued = await api.context.postgres.db.any(
    sql`SELECT data ->> 'feed' AS feed FROM pgboss.job WHERE name = 'feed.run'`,
  );
  expect(queued).toEqual([{ feed: 'metar' }]);
  const { text } = await ada.get('/audit?action=product');
  expect(text).toContain('<del>999</del>');
  expect(text).toContain('console:ada');
});

test('A key is shown once; what cannot be done, and what a form got wrong, is said and changes nothing', async () => {
  const form = { name: 'Twice', user_info: '', subscription: '', hosts: '' };
  const key = /dk_[\w-]{32}/.exec((await ada.post('/keys/create', form)).text)?.[0] ?? '';
  expect(key).not.toBe('');
  expect((await ada.get('/keys')).text).not.toContain(key);
  expect(JSON.stringify(await entries())).not.toContain(key);
  const before = await entries();
  for (const [path, fields, status, sentence] of [
    ['/keys/revoke', { id: '4' }, 404, 'There is no developer key 4 in use.'],
    ['/keys/revoke', { id: 'x' }, 422, 'id: '],
    ['/keys/create', { ...form, hosts: 'no host' }, 422, 'is neither a host such as'],
    ['/feeds/run', { feed: 'winds' }, 409, 'has no source'],
    [
      '/users/grant',
      { id: String(scene.pilot.id), product: 'NONE', days: '' },
      409,
      'There is no product NONE.',
    ],
    [
      '/announcements/publish',
      { title: '', summary: '', body: '', bodyFormat: 'plain', publishedAt: '', expiresAt: '' },
      409,
      'title: must not be empty',
    ],
    ['/nowhere', {}, 404, 'no such page'],
  ] as const) {
    const answer = await ada.post(path, fields);
    expect([path, answer.status, answer.text.includes(sentence)]).toEqual([path, status, true]);
  }
  expect(await entries()).toEqual(before);
});

test('Lists are searched and paged', async () => {
  const { postgres } = api.context;
  await postgres.transaction((tx) =>
    tx.run(sql`INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
      SELECT 'many' || n || '@example.org', 'x', 'Many', 'Pilot', 'MNY' FROM generate_series(1, 60) n`),
  );
  const first = (await ada.get('/users?search=MANY')).text;
  expect(first.match(/many\d+@example\.org/g)).toHaveLength(50);
  expect(first).toContain('/console/users?search=MANY&#38;page=2');
  const second = (await ada.get('/users?search=MANY&page=2')).text;
  expect(second.match(/many\d+@example\.org/g)).toHaveLength(10);
  expect(second).not.toContain('rel="next"');
  expect((await ada.get('/users?search=nothing')).text).toContain('Users: none.');
});

test('A token signs in once, within 12 hours and unless it is revoked; its session ends with it', async () => {
  const token = await consoleToken(api, 'eve');
  const signIn = (given: string) => postForm(api, '/sign-in', { token: given });
  const answer = await signIn(token);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console']);
  const cookie = answer.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^console=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  expect((await signIn(token)).status).toBe(403);
  const stored = await api.context.postgres.db.any<{ row: string }>(
    sql`SELECT t::text AS row FROM console_token t`,
  );
  const secret = cookie.slice('console='.length, cookie.indexOf(';'));
  expect(JSON.stringify(stored)).not.toContain(token);
  expect(JSON.stringify(stored)).not.toContain(secret);

  const eve = () => fetchConsole(api, '/audit', { headers: { cookie: `console=${secret}` } });
  expect((await eve()).status).toBe(200);
  const { json } = await ops(api.context, 'console list --json');
  expect(json['tokens']).toContainEqual(expect.objectContaining({ name: 'eve', state: 'signed in' }));
  const id = (json['tokens'] as { id: number; name: string }[]).find(({ name }) => name === 'eve')?.id;
  expect((await ops(api.context, `console revoke --id ${id}`)).status).toBe(0);
  expect((await eve()).status).toBe(303);
  expect((await ops(api.context, `console revoke --id ${id}`)).status).toBe(1);

  const late = await consoleToken(api, 'late');
  const early = await signedIn(api, 'early');
  api.context.clock.advance(43_200);
  expect([(await signIn(late)).status, (await early.get('/audit')).status]).toEqual([403, 303]);
  api.context.clock.advance(-43_200);
  const out = await early.post('/sign-out');
  expect(out.headers.get('location')).toBe('/console/sign-in');
  expect(out.headers.get('set-cookie')).toContain('console=; Path=/; Max-Age=0;');
  expect((await early.get('/audit')).status).toBe(303);
  expect((await entries()).slice(0, 2).map(({ who, action }) => [who, action])).toEqual([
    ['console:early', 'console sign-out'],
    ['console:early', 'console sign-in'],
  ]);
});

test('Switched off, it is as if it were not there', async () => {
  const context = { ...api.context, config: { ...api.context.config, CONSOLE: 'off' as const } };
  const middleware = siteRoutes(consoleSite(sections), { ...api.running, context });
  let passed = 0;
  for (const path of ['/console', '/console/sign-in', '/api'])
    await middleware({ path, method: 'GET' } as never, () => {
      passed += 1;
      return Promise.resolve();
    });
  expect(passed).toBe(3);
});

test('Over HTTPS the cookie is tied to the host; without it only the machine itself gets in; guesses are limited', async () => {
  const from = (ip: string, proto: string) => ({ 'x-forwarded-for': ip, 'x-forwarded-proto': proto });
  const https = { ...from('203.0.113.9', 'https'), origin: api.url.replace('http:', 'https:') };
  const answer = await postForm(api, '/sign-in', { token: await consoleToken(api, 'ada') }, https);
  expect(answer.headers.get('set-cookie')).toMatch(/^__Host-console=.*; HttpOnly; SameSite=Strict; Secure$/);
  expect((await fetchConsole(api, '/sign-in', { headers: from('203.0.113.9', 'http') })).status).toBe(403);
  expect((await fetchConsole(api, '/sign-in', { headers: from('127.0.0.1', 'http') })).status).toBe(200);
  for (const expected of [...Array.from({ length: 10 }, () => 403), 429])
    expect((await postForm(api, '/sign-in', { token: 'guess' }, https)).status).toBe(expected);
  const right = { token: await consoleToken(api, 'ada') };
  expect((await postForm(api, '/sign-in', right, https)).status).toBe(429);
});
