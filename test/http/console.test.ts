/** The console over HTTP: the rules of every page and action, and what each action leaves behind. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRepo } from '#store/postgres/audit/audit.ts';
import { sql } from '#store/postgres/sql.ts';
import { nouns } from '#operator/nouns.ts';
import { actions, pages } from '#api/console/pages.ts';
import { consoleSite } from '#api/console/site.ts';
import { siteRoutes } from '#api/site/site.ts';
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
import { isDeep } from '../support/deep.ts';
import { operatorLines } from '../support/operator-lines.ts';
import { ops } from '../support/ops.ts';

let api: TestApi;
let scene: ConsoleScene;
let ada: OperatorAtConsole;
beforeAll(async () => {
  api = await testApi({ env: { TRUSTED_PROXIES: '1' } });
  scene = await consoleScene(api);
  ada = await signedIn(api, 'ada');
});
afterAll(() => api.close());

const entries = () => auditRepo(api.context.postgres.db).list({}, 1_000);
/** Every page, and those of one thing with parameters that exist. */
const addresses = (): string[] => [
  '',
  ...pages.keys(),
  `/call/show?id=${scene.logId}`,
  `/checklist/show?id=${scene.checklistId}`,
  '/devkey/show?id=1',
  '/feeds/show?feed=taf',
  `/jobs/show?id=${scene.letters[0]}`,
  '/product/show?code=EFB_PRO_M',
  `/report/show?id=${scene.reportId}`,
  `/subscription/show?id=${scene.subscriptionId}`,
  `/user/show?email=${scene.pilot.email}`,
  '/va/show?va=Northern+Test',
  `/webhooks/show?id=${scene.messageId}`,
];

/** Each address gets a different fifth of the attempts; in `npm run test:deep` all of them. */
const inTurn = <T>(tried: readonly T[], at: number): readonly T[] =>
  tried.filter((_, i) => isDeep || (i + at) % 5 === 0);

/** The flags of a line as the fields of a form. */
const fieldsOf = (flags: string): Record<string, string> =>
  Object.fromEntries(
    flags
      .split('--')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => {
        const [name = '', ...words] = part.split(' ');
        return [name, words.join(' ') || 'yes'];
      }),
  );

/** The verbs of the command line by the address of their page. */
const verbsByAddress = new Map(
  nouns.flatMap(({ name, verbs }) =>
    Object.entries(verbs).map(([path, verb]) => [
      `/${[name, ...path.split(' ')].filter(Boolean).join('/')}`,
      verb,
    ]),
  ),
);

test('Every verb of the command line has a page, and every change its action (G-05)', () => {
  expect([...verbsByAddress.keys()].filter((address) => !pages.has(address))).toEqual([]);
  const changes = [...verbsByAddress].filter(([, { type }]) => type === 'change');
  expect([...actions.keys()]).toEqual(changes.map(([address]) => address));
});

test('Every page shows its verb and needs a session, forbids scripts and caching, and escapes what users wrote (G-05, M-5.8)', async () => {
  for (const address of addresses()) {
    const without = await fetchConsole(api, address);
    expect([address, without.status, without.headers.get('location')]).toEqual(
      address === '' ? ['', 200, null] : [address, 303, '/console/sign-in'],
    );
    const { status, text, headers } = await ada.get(address);
    expect([address, status]).toEqual([address, 200]);
    const { type, summary = '' } = verbsByAddress.get(address) ?? {};
    const isShown = text.includes(summary.replaceAll('`', '&#96;').replaceAll("'", '&#39;'));
    const isForm = text.includes(`method="post" action="/console${address}"`);
    expect([address, isShown, isForm]).toEqual([address, true, type === 'change']);
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
  expect((await ada.get('/user')).text).toContain('&#60;b&#62;Ada&#60;/b&#62;');
  expect((await ada.get('/feeds/show?feed=taf')).text).toContain(longError);
  expect((await ada.get(`/report/show?id=${scene.reportId}`)).text).toContain('refreshUserData');
  for (const [address, status] of [
    ['/nowhere', 404],
    ['/call/show?id=x', 422],
    ['/call/show?id=999999', 404],
    ['/feeds/show?feed=none', 404],
    ['/user?offset=-1', 422],
  ] as const)
    expect([address, (await ada.get(address)).status]).toEqual([address, status]);
});

test('No form names a file of the machine, and a file named by the caller is never opened', async () => {
  for (const [address, { type, flags }] of verbsByAddress)
    for (const [flag] of Object.entries(flags).filter(([, { isLocal }]) => isLocal && type !== 'local')) {
      const { text } = await ada.get(address);
      expect([address, flag, text.includes(`name="${flag}"`)]).toEqual([address, flag, false]);
    }
  const before = await entries();
  const answer = await ada.post('/announcement/publish', { title: 'T', 'body-file': '/etc/hostname' });
  expect([answer.status, answer.text.includes('Give either --body')]).toEqual([422, true]);
  expect(await entries()).toEqual(before);
});

test('No action runs without a session, without the form token or from another site', async () => {
  const list = [...actions.keys(), '/sign-out'].map((path) => [path, { id: '1', feed: 'metar' }] as const);
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
  for (const [at, [path, fields]] of list.entries())
    for (const [reason, status, send] of inTurn(refusals, at))
      expect([path, reason, await send(path, fields)]).toEqual([path, reason, status]);
  expect((await ada.get('/feeds/run?feed=metar')).status).toBe(200);
  const put = await fetchConsole(api, '/feeds/run', { method: 'PUT' });
  expect([put.status, put.headers.get('content-type')]).toEqual([405, 'text/html; charset=utf-8']);
  expect(await entries()).toEqual(before);
});

test('An invalid parameter or field gets a page, never a 5xx, and changes nothing', async () => {
  const hostile = ['2147483648', '-1', '1e400', '\0', 'a'.repeat(300), "'", '[object Object]', '０'];
  const html = 'text/html; charset=utf-8';
  const failures: string[] = [];
  const check = (what: string, { status, headers }: ConsoleAnswer, isRefused: boolean) => {
    const isFine = isRefused ? status >= 400 && status < 500 : status < 500;
    if (!isFine || headers.get('content-type') !== html) failures.push(`${what}: ${status}`);
  };
  const given = (flags: object, value: string) =>
    Object.fromEntries(Object.keys(flags).map((name) => [name, value]));
  const before = await entries();
  let turn = 0;
  for (const [address, { type, flags }] of verbsByAddress)
    for (const value of inTurn(hostile, (turn += 1))) {
      const what = JSON.stringify([address, value]);
      const query = new URLSearchParams(given(flags, value)).toString();
      check(what, await ada.get(`${address}?${query}`), value === '\0' && query !== '');
      if (type === 'change') check(what, await ada.post(address, given(flags, value)), true);
    }
  expect(failures).toEqual([]);
  expect(await entries()).toEqual(before);
  const { text } = await ada.post('/devkey/create', { name: 'a\0' });
  expect(text).toContain('name contains the NUL character, which cannot be stored');
});

test('Every action writes one audit row with the name of its token, the state before and after, and the request (G-05)', async () => {
  const own = await testApi();
  const { context } = own;
  const bob = await signedIn(own, 'bob');
  const rows = () => auditRepo(context.postgres.db).list({}, 1_000);
  for (const [action, flags, kind, subject] of await operatorLines(context, 2)) {
    const path = `/${action.replaceAll(' ', '/')}`;
    const before = await rows();
    const requestId = `request-of-${action.replaceAll(' ', '-')}`;
    const isLocal = !actions.has(path);
    const outcome = isLocal
      ? await ops(context, `${action} ${flags}`)
      : await bob.post(path, fieldsOf(flags), { 'x-request-id': requestId });
    const problem = 'text' in outcome ? /role="alert"[^<]*>([^<]*)/.exec(outcome.text)?.[1] : outcome.err;
    expect([action, problem || null, [0, 200, 303].includes(outcome.status)]).toEqual([action, null, true]);
    const [entry, ...older] = await rows();
    expect(older).toEqual(before);
    expect([entry?.action, entry?.kind, entry?.subject]).toEqual([action, kind, subject]);
    expect([entry?.who.split(':')[0], entry?.requestId]).toEqual(
      isLocal ? ['cli', null] : ['console', requestId],
    );
  }
  const found = await rows();
  const of = (action: string) => found.find((entry) => entry.action === action);
  expect(of('product update')).toMatchObject({ before: { price_minor: 500 }, after: { price_minor: 600 } });
  expect(of('user disable')).toMatchObject({ before: { disabled_at: null }, after: { id: 2 } });
  const { text } = await bob.get('/audit?action=product+update');
  expect(text).toContain('price_minor: 500 -&#62; 600');
  expect(text).toContain('console:bob');
  await own.close();
});

test('A key is shown once; impossible actions and form errors are reported and change nothing', async () => {
  const form = { name: 'Twice', permissions: 'none' };
  const key = /dk_[\w-]{32}/.exec((await ada.post('/devkey/create', form)).text)?.[0] ?? '';
  expect(key).not.toBe('');
  expect((await ada.get('/devkey')).text).not.toContain(key);
  expect(JSON.stringify(await entries())).not.toContain(key);
  const before = await entries();
  for (const [path, fields, status, sentence] of [
    ['/devkey/revoke', { id: '4000' }, 404, 'There is no developer key 4000 in use.'],
    ['/devkey/revoke', { id: 'x' }, 422, 'Id: must be a whole number'],
    ['/devkey/create', { ...form, 'return-url-hosts': 'no host' }, 422, 'is neither a host such as'],
    ['/feeds/run', { feed: 'winds' }, 409, 'has no source'],
    ['/user/grant', { email: scene.pilot.email, product: 'NONE' }, 409, 'There is no product NONE.'],
    ['/announcement/publish', { title: ' ', body: 'Text' }, 422, 'Title: '],
    ['/nowhere', {}, 404, 'This page does not exist.'],
  ] as const) {
    const answer = await ada.post(path, fields);
    expect([path, answer.status, answer.text.includes(sentence)]).toEqual([path, status, true]);
  }
  expect(await entries()).toEqual(before);
});

test('The home page lists pending work with links, and finds a call by its log id', async () => {
  const { text } = await ada.get('');
  for (const href of [
    '/feeds/show?feed=airports',
    '/jobs/list',
    '/devkey/requests',
    '/report/list',
    '/checklist/reports',
  ])
    expect(text).toContain(`href="/console${href}"`);
  expect(text).toContain('action="/console/call/show"');
  expect((await ada.get(`/call/show?id=${scene.logId}`)).text).toContain('refreshUserData');
});

test('Lists can be searched and are paged', async () => {
  const { postgres } = api.context;
  await postgres.transaction((tx) =>
    tx.run(sql`INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
      SELECT 'many' || n || '@example.org', 'x', 'Many', 'Pilot', 'MNY' FROM generate_series(1, 60) n`),
  );
  const first = (await ada.get('/user?search=MANY')).text;
  expect(first.match(/many\d+@example\.org/g)).toHaveLength(50);
  expect(first).toContain('/console/user/list?search=MANY&#38;offset=50');
  const second = (await ada.get('/user?search=MANY&offset=50')).text;
  expect(second.match(/many\d+@example\.org/g)).toHaveLength(10);
  expect(second).not.toContain('rel="next"');
  expect((await ada.get('/user?search=nothing')).text).toContain('Users: none.');
});

test('A token signs in once within 12 hours unless revoked, and its session ends with it', async () => {
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

test('A console that is switched off answers like an unknown path', async () => {
  const context = { ...api.context, config: { ...api.context.config, CONSOLE: 'off' as const } };
  const middleware = siteRoutes(consoleSite, { ...api.running, context });
  let passed = 0;
  for (const path of ['/console', '/console/sign-in', '/api'])
    await middleware({ path, method: 'GET' } as never, () => {
      passed += 1;
      return Promise.resolve();
    });
  expect(passed).toBe(3);
});

test('Over HTTPS the cookie is bound to the host, without HTTPS only loopback may sign in, and guesses are limited', async () => {
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
