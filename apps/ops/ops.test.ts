import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailSend } from '#domain/jobs/contracts.ts';
import { sql } from '#store/postgres/sql.ts';
import { removeRunning, writeRunning } from '#platform/embedded/running.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { newChecklist } from '#test/support/checklists.ts';
import { insertLanding } from '#test/support/landing.ts';
import { ops as runLine, opsOn } from '#test/support/ops.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { nouns } from '#operator/nouns.ts';

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
});
afterAll(() => api.close());

const ops = (line: string, ...more: string[]) => runLine(api.context, line, ...more);

/** The same at a terminal with this number of columns. */
const at80 = (line: string, columns = 80) => opsOn({ columns }, api.context, line);

const refresh = (token: string, devKey?: string) =>
  api.call('refreshUserData', { token, ...(devKey === undefined ? {} : { devKey }) });

test('A console token comes with the address at which the service on this machine listens (G-05)', async () => {
  const { DATA_DIR } = api.context.config;
  const shown = async () => (await ops('console token --name ada --json')).json['url'];
  const configured = await shown();
  const running = {
    databaseUrl: '',
    postgresPid: null,
    pid: 1,
    jobsPid: null,
  };
  writeRunning(DATA_DIR, { ...running, address: 'http://127.0.0.1:9123' });
  expect(await shown()).toBe('http://127.0.0.1:9123/console');
  removeRunning(DATA_DIR);
  expect(await shown()).toBe(configured);
});

describe('devkey', () => {
  test('A new key is shown once, and its revocation takes effect immediately (G-05, M-5.2g)', async () => {
    const made = await ops(
      'devkey create --name N --user-info FULL --weather yes --efb yes --library yes --subscription READ --json',
    );
    expect(made.status).toBe(0);
    expect(made.json).toMatchObject({ ok: true, key: expect.stringMatching(/^dk_[\w-]{32}$/) });
    const key = String(made.json['key']);
    expect(Object.keys(at(await refresh(pilot.token, key), 'user') as object)).toContain('apiKey');

    const listed = await ops('devkey list --json');
    expect(listed.out).not.toContain(key);
    expect(listed.json['keys']).toContainEqual(
      expect.objectContaining({
        id: made.json['id'],
        name: 'N',
        userInfo: 'FULL',
        weather: true,
        efb: true,
        library: true,
        subscription: 'READ',
        revokedAt: null,
      }),
    );
    const stored = await api.context.postgres.db.any<{ row: string }>(
      sql`SELECT developer_key::text AS row FROM developer_key`,
    );
    expect(stored.map(({ row }) => row).join()).not.toContain(key);

    const login = () =>
      api.call('login', { devKey: key, data: { email: pilot.email, password: pilot.password } });
    expect((await login()).status).toBe(200);
    expect((await ops(`devkey revoke --id ${String(made.json['id'])}`)).status).toBe(0);
    expect(refusal(await login())).toEqual([401, 'INVALID_DEV_KEY']);
    const again = await ops(`devkey revoke --id ${String(made.json['id'])} --json`);
    expect([again.status, again.json]).toEqual([
      1,
      { ok: false, error: { code: 'NOT_FOUND', message: expect.any(String) } },
    ]);
  });

  test('An update changes only the given flags (G-05)', async () => {
    const { json } = await ops('devkey create --name A --user-info SIMPLE --efb yes --json');
    const updated = await ops(`devkey update --id ${String(json['id'])} --weather yes --json`);
    expect(updated.json['devkey']).toMatchObject({ name: 'A', userInfo: 'SIMPLE', efb: true, weather: true });
    const taken = await ops(`devkey update --id ${String(json['id'])} --user-info none --efb no --json`);
    expect(taken.json['devkey']).toMatchObject({ userInfo: null, efb: false, weather: true });
    const hosts = await ops(
      `devkey update --id ${String(json['id'])} --return-url-hosts A.example,b.example --json`,
    );
    expect(hosts.json['devkey']).toMatchObject({ weather: true, returnUrlHosts: ['a.example', 'b.example'] });
    const schemes = await ops(
      `devkey update --id ${String(json['id'])} --return-url-hosts MyEfb:,a.example --json`,
    );
    expect(schemes.json['devkey']).toMatchObject({ returnUrlHosts: ['myefb:', 'a.example'] });
    for (const wrong of ['javascript:', 'https://a.example', 'myefb://', 'a.example,file:']) {
      const refused = await ops(
        `devkey update --id ${String(json['id'])} --return-url-hosts ${wrong} --json`,
      );
      expect([wrong, refused.status]).toEqual([wrong, 2]);
    }
    const listed = await ops('devkey list --json');
    expect(listed.json['keys']).toContainEqual(
      expect.objectContaining({ id: json['id'], returnUrlHosts: ['myefb:', 'a.example'] }),
    );
  });

  test.each(['--user-info ALL', '--efb 1', '--root yes', '--subscription', '--__proto__ yes'])(
    'Permissions "%s" are refused and nothing is written',
    async (permissions) => {
      const refused = await ops(`devkey create --name Refused ${permissions} --json`);
      expect([refused.status, refused.json['ok']]).toEqual([2, false]);
      expect((await ops('devkey list')).out).not.toContain('Refused');
    },
  );
});

describe('user', () => {
  test('A created account can log in, and a duplicate is refused (G-05)', async () => {
    const made = await ops('user create --email new@example.org --json');
    expect(made.json).toMatchObject({ ok: true, email: 'new@example.org' });
    expect(made.json['apiKey']).toMatch(/^API(-[0-9A-Z]{4}){3}$/);
    const data = { email: 'new@example.org', password: made.json['password'] };
    expect((await api.call('login', { devKey: await api.key(), data })).status).toBe(200);
    const twice = await ops('user create --email NEW@example.org --json');
    expect(twice.json).toMatchObject({ ok: false, error: { code: 'EMAIL_ALREADY_REGISTERED' } });
    expect((await ops('user list --search new@ --json')).json['users']).toHaveLength(1);
  });

  test('A disabled account is refused at its next request, and once enabled must log in again (G-03, G-05)', async () => {
    const user = await api.user();
    expect((await ops(`user disable --email ${user.email}`)).status).toBe(0);
    expect((await refresh(user.token)).status).toBe(401);
    expect((await ops(`user enable --email ${user.email}`)).status).toBe(0);
    expect((await refresh(user.token)).status).toBe(401);
    const data = { email: user.email, password: user.password };
    const answer = await api.call('login', { devKey: await api.key(), data });
    expect((await refresh(String(at(answer, 'token')))).status).toBe(200);
  });

  test('Deletion removes the account, and a job of the same transaction deletes its files (G-41)', async () => {
    const { postgres, queues } = api.context;
    const leaving = await api.user();
    const { publicId } = await postgres.transaction((tx) =>
      insertLanding(tx, leaving.id, api.context.clock.now()),
    );
    await runSql(postgres)`
      INSERT INTO graphic (calculation_id, name, format, asks, asked_at, path, etag, bytes, drawn_at)
      SELECT id, 'factored', 'png', 1, now(), 'graphics/x.png', 'e', 7, now() FROM calculation
      WHERE public_id = ${publicId}`;
    expect((await ops(`user delete --email ${leaving.email}`)).status).toBe(0);
    expect((await api.call('getUserMeta', { token: leaving.token })).status).toBe(401);
    const waiting = (await queues.counts()).find(({ job }) => job === 'file.delete');
    expect(waiting?.waiting).toBe(1);
  });

  test('A settings lock is visible in the preferences (G-05, M-2.7.p1)', async () => {
    const locked = async () => at(await refresh(pilot.token), 'user', 'userPreferences', 'settingsLocked');
    expect(await locked()).toBe(false);
    await ops(`user lock-settings --email ${pilot.email}`);
    expect(await locked()).toBe(true);
    await ops(`user unlock-settings --email ${pilot.email}`);
    expect(await locked()).toBe(false);
  });

  test('A gift raises the allowance of its user (G-33)', async () => {
    await ops(`user gift --email ${pilot.email} --calculations 7`);
    await ops(`subscription gift --email ${pilot.email} --calculations 3`);
    const { json } = await ops(`user show --email ${pilot.email} --json`);
    expect(json['user']).toMatchObject({
      email: pilot.email,
      product: 'EFB_PREVIEW',
      allowance30d: { baseAllowed: 10, extraCalculationGift: 10, totalAllowed: 20, remaining: 20 },
    });
  });
});

describe('subscription and product', () => {
  test('Grants, extensions and cancellations change level and end (G-05, G-34)', async () => {
    const user = await api.user();
    const shown = async () => at(await refresh(user.token), 'user', 'subscription');
    const granted = await ops(
      `subscription grant --email ${user.email} --product EFB_LITE_M --days 10 --json`,
    );
    expect(granted.json).toMatchObject({
      ok: true,
      subscription: { productCode: 'EFB_LITE_M', gateway: null },
    });
    expect(await shown()).toMatchObject({
      level: 1,
      isActive: true,
      expiry: '2026-09-26 12:00:00',
      daysRemaining: 10,
    });
    const id = (granted.json['subscription'] as { id: number }).id;
    await ops(`subscription extend --id ${id} --days 5`);
    expect(await shown()).toMatchObject({ daysRemaining: 15 });
    await ops(`subscription cancel --id ${id}`);
    expect(await shown()).toMatchObject({ status: 'CANCELLED', isActive: true, daysRemaining: 15 });
    await ops(`subscription cancel --id ${id} --now`);
    expect(await shown()).toMatchObject({
      level: 0,
      isActive: false,
      isExpired: true,
      preview: { active: true },
    });
    expect((await ops(`user show ${user.email} --json`)).json['subscriptions']).toHaveLength(1);
  });

  test('A grant through a gateway keeps its code', async () => {
    const user = await api.user();
    const { json } = await ops(
      `subscription grant --email ${user.email} --product EFB_PRO_Y --gateway card --reference R-1 --json`,
    );
    expect(json['subscription']).toMatchObject({ gateway: '2checkout', reference: 'R-1' });
  });

  test('The features of a product come from its row, not from its code (G-34)', async () => {
    const { json } = await ops('product list --json');
    const rows = json['products'] as Record<
      'code' | 'level' | 'libraryQuotaMb' | 'storageQuotaMb',
      unknown
    >[];
    expect(rows.map((row) => [row.code, row.level, row.libraryQuotaMb, row.storageQuotaMb])).toEqual(
      expect.arrayContaining([
        ['EFB_PREVIEW', 0, 0, 250],
        ['EFB_LITE_M', 1, 100, 500],
        ['EFB_STANDARD_M', 2, 500, 1000],
        ['EFB_PRO_M', 3, 2000, 2000],
      ]),
    );
    const user = await api.user();
    await api.grant(user, 'EFB_STANDARD_Y');
    await ops(
      'product update --code EFB_STANDARD_Y --max-calculation 9 --is-mel yes --allowed-airports kjfk,eddf',
    );
    expect(at(await refresh(user.token), 'user', 'subscription', 'capabilities')).toMatchObject({
      maxCalculation: 9,
      isMel: true,
      isNotam: true,
    });
    const unknown = await ops('product update --code NONE --level 1 --json');
    expect([unknown.status, at({ ...refusalShape, body: unknown.json }, 'error', 'code')]).toEqual([
      1,
      'NOT_FOUND',
    ]);
  });
});

const refusalShape = { status: 0, headers: new Headers() };

describe('checklist', () => {
  test('The operator finds, unshares and deletes community checklists (G-05)', async () => {
    const id = await newChecklist(api, pilot, { name: 'Rude', shareCommunity: true });
    const hidden = await newChecklist(api, pilot, { name: 'Quiet' });
    const shared = await ops('checklist list --community --json');
    expect(shared.json['checklists']).toEqual([
      expect.objectContaining({ id, name: 'Rude', owner: pilot.email, shared: true, ratingCount: 0 }),
    ]);
    expect((await ops('checklist list')).out).toContain('Quiet');
    const shown = await ops(`checklist show --id ${hidden} --json`);
    expect(shown.json['checklist']).toMatchObject({ name: 'Quiet', document: { name: 'Test' } });
    expect((await ops(`checklist unshare --id ${id} --json`)).json).toEqual({
      ok: true,
      id,
      closedReports: 0,
    });
    const community = async () =>
      at(await api.call('checklistList', { token: pilot.token }), 'data', 'communityChecklists');
    expect(await community()).toEqual([]);
    expect((await ops(`checklist delete --id ${hidden}`)).status).toBe(0);
    const get = { token: pilot.token, data: { checklistId: hidden } };
    expect(refusal(await api.call('checklistGet', get))).toEqual([404, 'NOT_FOUND']);
    for (const verb of ['show', 'unshare', 'delete']) {
      const { json } = await ops(`checklist ${verb} --id ${hidden} --json`);
      expect([verb, json['error']]).toMatchObject([verb, { code: 'NOT_FOUND' }]);
    }
    expect((await ops('checklist delete --id x')).status).toBe(2);
  });
});

describe('jobs, feeds and reports', () => {
  test('The list of jobs has counts, and retrying an unknown id is refused', async () => {
    // Registrations have enqueued other jobs.
    const { waiting = 0 } = (await api.context.queues.counts()).find(({ job }) => job === 'mail.send') ?? {};
    await api.context.postgres.transaction((tx) =>
      api.context.jobs.enqueue(tx, mailSend, { mailId: 999_999 }),
    );
    const { json } = await ops('jobs list --json');
    expect(json['queues']).toContainEqual(
      expect.objectContaining({ job: 'mail.send', waiting: waiting + 1 }),
    );
    for (const verb of ['retry', 'show']) {
      const unknown = await ops(`jobs ${verb} --id ${randomUUID()} --json`);
      expect(unknown.json).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    }
    expect((await ops('jobs retry --id x')).status).toBe(2);
  });

  test('The command feeds alone prints a table', async () => {
    await runSql(api.context.postgres)`
      INSERT INTO feed_state (feed, last_count, last_success_at) VALUES ('metar', 42, ${api.context.clock.now()})`;
    const { out, status } = await ops('feeds');
    expect(status).toBe(0);
    expect(out).toMatch(/^feed +status +lastSuccessAt +ageMinutes .*\nmetar +up +2026-09-16 12:00Z +0 +42 /);
    expect((await ops('feeds list --json')).json['feeds']).toHaveLength(1);
    const error = 'The source answers 503 Service Unavailable since the morning. '.repeat(4).trim();
    await runSql(api.context.postgres)`
      UPDATE feed_state SET last_error = ${error}, consecutive_failures = 1 WHERE feed = 'metar'`;
    const narrow = await at80('feeds');
    expect(Math.max(...narrow.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect([narrow.out.includes('…'), narrow.out.includes(error)]).toEqual([true, false]);
    expect((await ops('feeds')).out).toContain(error);
    expect((await at80('feeds show metar')).out.replaceAll(/\s+/g, ' ')).toContain(error);
    expect((await ops('feeds show --feed metr --json')).json['error']).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no feed "metr". Did you mean "metar"?',
    });
  });

  test('Reports are listed, shown and closed', async () => {
    const answer = await refresh(pilot.token);
    await api.running.services.requestLog.flush();
    const logId = Number(answer.headers.get('X-SVC-Log-Id'));
    const { id } = await insertBySql<{ id: number }>(api.context.postgres)`
      INSERT INTO problem_report (log_id, user_id, severity, description, created_at)
      VALUES (${logId}, ${pilot.id}, 'HIGH', 'It is wrong', ${api.context.clock.now()}) RETURNING id`;
    expect((await ops('report list')).out).toContain('It is wrong');
    const shown = await ops(`report show --id ${id} --json`);
    expect(shown.json).toMatchObject({
      report: { severity: 'HIGH', email: pilot.email },
      request: { id: logId, query: 'refreshUserData', status: 200 },
    });
    expect(shown.out).not.toContain(pilot.token);
    expect((await ops(`report close --id ${id}`)).status).toBe(0);
    expect((await ops('report list --json')).json['reports']).toEqual([]);
    expect((await ops('report list --closed --json')).json['reports']).toHaveLength(1);
    expect((await ops(`report close --id ${id}`)).status).toBe(1);
  });
});

describe('the command line itself', () => {
  test.each([
    '',
    'nothing',
    'user',
    'user fly',
    'user create --email nonsense',
    'user create --email a@b.example --firstname https://evil.example',
    'user create --email a@b.example --colour red',
    'subscription grant --email a@b.example --product X --days 0',
    'subscription grant --email a@b.example --product X --days 1.5',
    'constructor',
    'user __proto__',
  ])('"%s" is a usage error: status 2, help or the problem on standard error', async (line) => {
    const plain = await ops(line);
    expect([plain.status, plain.out]).toEqual([2, '']);
    expect(plain.err.length).toBeGreaterThan(10);
    const json = await ops(`${line} --json`);
    expect([json.status, json.json['ok'], json.err]).toEqual([2, false, '']);
  });

  test.each(nouns.map((noun) => [noun.name, noun] as const))(
    '%s --help lists every verb',
    async (name, noun) => {
      const { status, out } = await ops(`${name} --help`);
      expect(status).toBe(0);
      for (const [path, verb] of Object.entries(noun.verbs)) {
        expect(out).toContain(`${name} ${path}`.trim());
        for (const flag of Object.keys(verb.flags)) expect(out).toContain(`--${flag}`);
      }
    },
  );

  test('A failure is one JSON document on standard output and status 1', async () => {
    const { status, out, err, json } = await ops('user show --email nobody@example.org --json');
    expect([status, err, out.split('\n').length]).toEqual([1, '', 1]);
    expect(json).toEqual({
      ok: false,
      error: { code: 'NOT_FOUND', message: 'There is no user nobody@example.org.' },
    });
    const plain = await ops('user show --email nobody@example.org');
    expect([plain.out, plain.err]).toEqual(['', 'There is no user nobody@example.org.']);
  });
});
