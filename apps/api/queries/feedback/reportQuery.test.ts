import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logDayWrites, requestLogRepo, requestLogWrites } from '#store/postgres/requests/log.ts';
import { problemReportRepo, problemReportWrites } from '#store/postgres/reports/reports.ts';
import { sql } from '#store/postgres/sql.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { testApi } from '#test/api.ts';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { ops } from '#test/support/ops.ts';
import { logRow, storeLogRows } from '#test/support/request-log.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import sweepLogs from '#workers/jobs/sweep-logs.ts';
import { runOnce } from '#test/support/run-once.ts';

let api: TestApi;
let pilot: TestUser;
let key: string;
let freeId = 900_000_000;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  key = await api.key();
});
afterAll(() => api.close());

const report = (data: unknown, { token }: { token?: string } = pilot, devKey: string | null = key) =>
  api.call('reportQuery', {
    data,
    ...(token === undefined ? {} : { token }),
    body: devKey === null ? {} : { dev_key: devKey },
  });
const logIdOf = ({ headers }: Answer): number => Number(headers.get('X-SVC-Log-Id'));
const aCall = async ({ token } = pilot): Promise<number> =>
  logIdOf(await api.call('announcementsLatest', { token, data: { note: 'reported' } }));
/** A log entry for a call of this user some days ago. */
const oldCall = async (daysAgo: number, isCalculation = false): Promise<number> => {
  const id = (freeId += 1);
  const at = addSeconds(api.context.clock.now(), -daysAgo * daySeconds);
  await storeLogRows(api.context, [logRow(id, at, { userId: pilot.id, isCalculation })]);
  return id;
};
/** A token lives for a day. */
const loginAgain = async () => {
  const { email, password } = pilot;
  const { body } = await api.call('login', { devKey: key, data: { email, password } });
  pilot = { ...pilot, token: String(body['token']) };
};
const sweep = () =>
  runOnce(sweepLogs, api.context, { slot: addSeconds(api.context.clock.now(), (freeId += 1)).toISOString() });
const good = { severity: 'HIGH', description: 'It is wrong' };
const opened = async (logId: number): Promise<number> => {
  const { status, body } = await report({ ...good, logId });
  expect(status).toBe(200);
  return Number(body['ReportId']);
};
const isLogged = async (logId: number) =>
  (await requestLogRepo(api.context.postgres.db).byId(logId)) !== null;
const openReports = async () => (await problemReportRepo(api.context.postgres.db).list(false)).length;

describe('reportQuery', () => {
  test.each(['LOW', 'MEDIUM', 'HIGH'])(
    'A call can be reported with severity %s at once (M-2.1.3d, M-2.1.5, M-2.12.fb3, M-4.9.q2a, M-4.9.q2b, M-4.9.q2c)',
    async (severity) => {
      const logId = await aCall();
      const { status, body } = await report({ logId, severity, description: ' Not what I expect ' });
      expect([status, body]).toEqual([200, { Success: true, ReportId: expect.any(Number) as number }]);
      const stored = await problemReportRepo(api.context.postgres.db).byId(Number(body['ReportId']));
      expect(stored).toMatchObject({
        logId,
        severity,
        email: pilot.email,
        description: 'Not what I expect',
        closedAt: null,
      });
    },
  );

  test('A report waits for the row of its call only while that may still be written', async () => {
    const { context } = api;
    const mayFollow = (id: number) => requestLogRepo(context.postgres.db).mayFollow(id, context.clock.now());
    const first = await context.postgres.transaction((tx) => requestLogWrites(tx).reserve());
    expect([await mayFollow(first), await mayFollow(first + 999)]).toEqual([true, true]);
    const minutesAgo = (minutes: number) => addSeconds(context.clock.now(), -60 * minutes);
    await storeLogRows(context, [logRow(first + 500, minutesAgo(59), { userId: pilot.id })]);
    expect(await mayFollow(first)).toBe(true);
    await storeLogRows(context, [logRow(first + 600, minutesAgo(61), { userId: pilot.id })]);
    expect([await mayFollow(first), await mayFollow(first + 600)]).toEqual([false, true]);
    const later = await context.postgres.transaction((tx) => requestLogWrites(tx).reserve());
    expect([await mayFollow(later + 999), await mayFollow(later + 1_000_000)]).toEqual([true, false]);
    expect((await report({ ...good, logId: later + 1_000_000 })).status).toBe(404);
  });

  test('A failed call can be reported, too, and one call several times (M-2.1.5)', async () => {
    const logId = logIdOf(await api.call('announcementAck', { token: pilot.token, data: { id: 'x' } }));
    const ids = [await opened(logId), await opened(logId)];
    expect(new Set(ids).size).toBe(2);
  });

  test('The login and registration that led to an account count as its calls, as does a mistyped query with its token; failed logins do not', async () => {
    const password = 'a good one';
    const person = { firstname: 'Ada', lastname: 'Pilot', email: 'ada.reports@example.org', password };
    const registered = await api.call('register', { devKey: key, data: person });
    const { email } = person;
    const signedIn = await api.call('login', { devKey: key, data: { email, password } });
    const token = String(signedIn.body['token']);
    const mistyped = await api.call('refreshUserDate', { token });
    const wrong = await api.call('login', { devKey: key, data: { email, password: 'wrong' } });
    expect([mistyped.status, wrong.status]).toEqual([400, 401]);
    const statuses = await Promise.all(
      [registered, signedIn, mistyped, wrong].map(async (answer) => {
        const { status } = await report({ ...good, logId: logIdOf(answer) }, { token });
        return status;
      }),
    );
    expect(statuses).toEqual([200, 200, 200, 404]);
    const logged = await requestLogRepo(api.context.postgres.db).byId(logIdOf(signedIn));
    expect(logged?.request).not.toContain(password);
  });

  test('The operator sees the report with the redacted request, and closes it (G-37)', async () => {
    const answer = await api.call('announcementsLatest', {
      token: pilot.token,
      data: { password: 'canary-1', note: 'kept-text' },
      body: { api_key: 'canary-2' },
    });
    const id = await opened(logIdOf(answer));
    expect((await ops(api.context, 'report list')).out).toContain('It is wrong');
    const shown = await ops(api.context, `report show --id ${id} --json`);
    expect(shown.json).toMatchObject({
      report: { id, severity: 'HIGH', email: pilot.email },
      request: { query: 'announcementsLatest', status: 200 },
    });
    expect(shown.out).toContain('kept-text');
    expect(shown.out).not.toMatch(/canary/);
    expect(shown.out).not.toContain(pilot.token);
    expect((await ops(api.context, `report close --id ${id}`)).status).toBe(0);
    expect((await ops(api.context, `report close --id ${id}`)).status).toBe(1);
  });
});

describe('errors in form (b)', () => {
  const refused = ({ status, body }: Answer) => [status, body];
  // The answer may have a hint next to the message.
  const error = (message: string) => ({
    Error: [expect.objectContaining({ message, code: expect.stringMatching(/^[A-Z_]+$/) })],
  });
  const noLog = error('Log entry not found or does not belong to this user.');

  test('Another user’s call and an unknown call get the same answer (M-4.9.q2b, M-7.m15, M-2.1.4b)', async () => {
    const other = await api.user();
    const before = await openReports();
    const ofOther = await aCall(other);
    const anonymous = logIdOf(await api.call('announcementsLatest'));
    // In parallel, since each waits for the log for a while.
    const answers = await Promise.all(
      [ofOther, anonymous, 123_456_789_012].map((logId) => report({ ...good, logId })),
    );
    expect(answers.map(refused)).toEqual(answers.map(() => [404, noLog]));
    expect(answers).toHaveLength(3);
    expect(await openReports()).toBe(before);
    expect((await report({ ...good, logId: ofOther }, other)).status).toBe(200);
  });

  test('A call without a valid token is refused, since an API key is not accepted (M-7.m14, M-4.9.q2a, M-2.1.4b)', async () => {
    const { body: login } = await api.call('refreshUserData', {
      token: pilot.token,
      devKey: await api.key(),
    });
    const { apiKey } = login['user'] as { apiKey: string };
    const logId = await aCall();
    const expected = error(
      'Authentication required. Provide a valid Bearer token in the Authorization header.',
    );
    expect(refused(await report({ ...good, logId }, {}))).toEqual([401, expected]);
    expect(refused(await report({ ...good, logId }, { token: 'x.y.z' }))).toEqual([401, expected]);
    const body = { dev_key: key, api_key: apiKey };
    expect(refused(await api.call('reportQuery', { data: { ...good, logId }, body }))).toEqual([
      401,
      expected,
    ]);
  });

  test('A call without a developer key or with a wrong one is refused (M-2.1.2b, M-4.9.q2a)', async () => {
    const logId = await aCall();
    expect(refused(await report({ ...good, logId }, pilot, null))).toEqual([
      403,
      error('ACCESS_DENIED: The developer key is missing: send it as dev_key.'),
    ]);
    expect(refused(await report({ ...good, logId }, pilot, 'dk_wrong'))).toEqual([
      401,
      error('The developer key is missing or not valid.'),
    ]);
  });

  const refusedReports: [Record<string, unknown>, string][] = [
    [{ severity: 'URGENT' }, 'Invalid severity. Use LOW, MEDIUM, or HIGH.'],
    [{ severity: 'high' }, 'Invalid severity. Use LOW, MEDIUM, or HIGH.'],
    [{ severity: undefined }, 'Invalid severity. Use LOW, MEDIUM, or HIGH.'],
    [{ description: undefined }, 'Description is required.'],
    [{ description: ' ' }, 'Description is required.'],
    [{ description: 'x'.repeat(4_001) }, 'Description is too long: maximum 4000 characters.'],
    [{ logId: undefined }, 'Missing required field: logId.'],
    [{ logId: 1.5 }, 'logId must be a whole number, or a string.'],
    [{ logId: 'abc' }, 'logId must be a number, or must match /^[1-9]\\d{0,15}$/.'],
  ];

  test.each(refusedReports)(
    '%j is refused (M-7.m16, M-7.m17, M-4.9.q2c, M-4.9.q2d, M-8.22, M-2.1.4b)',
    async (changes, message) => {
      const before = await openReports();
      const data = { ...good, logId: await aCall(), ...changes };
      expect(refused(await report(data))).toEqual([400, error(message)]);
      expect(await openReports()).toBe(before);
    },
  );

  test('A description of 4000 characters is kept whole, however many bytes it has (M-8.22)', async () => {
    const description = '✈'.repeat(4_000);
    const { body } = await report({ ...good, logId: await aCall(), description });
    const stored = await problemReportRepo(api.context.postgres.db).byId(Number(body['ReportId']));
    expect(stored?.description).toBe(description);
  });

  test('More than 120 reports within an hour are refused', async () => {
    const strict = await testApi({
      databaseUrl: api.context.databaseUrl,
      env: { RATE_LIMIT_SCALE: '0.025', TRUSTED_PROXIES: '1' },
    });
    const { token } = await api.user();
    const go = () =>
      strict.call('reportQuery', {
        token,
        // The other tests' rate limit per address also counts for this API.
        headers: { 'x-forwarded-for': '192.0.2.77' },
        body: { dev_key: key },
        data: { ...good, logId: 0 },
      });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await go()).status);
    expect(statuses).toEqual([400, 400, 400]);
    expect(refused(await go())).toEqual([429, error('Too many requests. Please wait before trying again.')]);
    await strict.close();
  });
});

describe('retention', () => {
  test('Calls and calculations are kept while a report is open, and deleted once it is closed (M-8.23)', async () => {
    const ofCall = await oldCall(2);
    const ofCalculation = await oldCall(29, true);
    const notReported = await oldCall(2);
    const ids = [await opened(ofCall), await opened(ofCalculation)];
    api.context.clock.advance(4 * daySeconds);
    await sweep();
    expect(await Promise.all([ofCall, ofCalculation, notReported].map(isLogged))).toEqual([
      true,
      true,
      false,
    ]);
    const shown = await ops(api.context, `report show --id ${ids[0]} --json`);
    expect(shown.json).toMatchObject({ request: { id: ofCall, request: `{"id":${ofCall}}` } });
    for (const id of ids) await ops(api.context, `report close --id ${id}`);
    await sweep();
    expect(await Promise.all([ofCall, ofCalculation].map(isLogged))).toEqual([false, false]);
    api.context.clock.advance(-4 * daySeconds);
  });

  test('A report on a call kept by another report keeps it, too (M-8.23)', async () => {
    const logId = await oldCall(3);
    const first = await opened(logId);
    api.context.clock.advance(2 * daySeconds);
    await sweep();
    await loginAgain();
    const second = await opened(logId);
    await ops(api.context, `report close --id ${first}`);
    await sweep();
    expect(await isLogged(logId)).toBe(true);
    await ops(api.context, `report close --id ${second}`);
    await sweep();
    expect((await report({ ...good, logId })).status).toBe(404);
    api.context.clock.advance(-2 * daySeconds);
    await loginAgain();
  });

  test('A sweep waits for a report being written, and keeps its log (M-8.23)', async () => {
    const { postgres, clock } = api.context;
    const id = (freeId += 1);
    const row = logRow(id, addSeconds(clock.now(), -9 * daySeconds), { userId: pilot.id });
    await postgres.transaction((tx) => requestLogWrites(tx).keep(row));
    const isWaiting = async () =>
      (
        await postgres.db
          .any(sql`SELECT 1 FROM pg_locks WHERE relation = 'problem_report'::regclass AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
      ).length === 1;
    let sweeping: Promise<number> | undefined;
    await postgres.transaction(async (tx) => {
      const given = { logId: id, userId: pilot.id, severity: 'HIGH', description: 'x' } as const;
      await problemReportWrites(tx).open(given, clock.now());
      sweeping = postgres.transaction((own) => logDayWrites(own).deleteKept());
      await until('the sweep waits', isWaiting);
    });
    await sweeping;
    expect(await isLogged(id)).toBe(true);
    await runSql(postgres)`DELETE FROM problem_report WHERE log_id = ${id}`;
  });

  test('When a sweep races with reports, every accepted report keeps its log (M-8.23)', async () => {
    const { postgres, clock } = api.context;
    for (let round = 0; round < 4; round += 1) {
      const id = (freeId += 1);
      const row = logRow(id, addSeconds(clock.now(), -9 * daySeconds), { userId: pilot.id });
      await postgres.transaction((tx) => requestLogWrites(tx).keep(row));
      const [answer] = await Promise.all([
        report({ ...good, logId: id }),
        postgres.transaction((tx) => logDayWrites(tx).deleteKept()),
      ]);
      expect([answer.status, await isLogged(id)]).toEqual(answer.status === 200 ? [200, true] : [404, false]);
      await runSql(postgres)`DELETE FROM problem_report WHERE log_id = ${id}`;
    }
  });
});
