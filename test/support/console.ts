/**
 * An operator at the console, and a service with something in every section:
 *
 *   const scene = await consoleScene(api);
 *   const operator = await signedIn(api, 'ada');
 *   const page = await operator.get('/feeds');          // { status, text, headers }
 *   const answer = await operator.post('/feeds/run', { feed: 'metar' });
 */
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import type { TestApi, TestUser } from '../api.ts';
import { newChecklist } from './checklists.ts';
import { deadLetters } from './dead-letter.ts';
import { ops } from './ops.ts';
import { sql } from '#store/postgres/sql.ts';
import { insertBySql, runSql } from './sql.ts';

export interface ConsoleScene {
  pilot: TestUser;
  letters: readonly string[];
  messageId: number;
  reportId: number;
  logId: number;
  /** A shared checklist with two reports. */
  checklistId: string;
  subscriptionId: number;
  /** Developer keys that ask for permissions. */
  askingIds: readonly number[];
}

export const longError = `HTTP 503 from https://weather.example/metar: ${'the upstream did not answer in time; '.repeat(8)}`;

export const consoleScene = async (api: TestApi): Promise<ConsoleScene> => {
  const { context } = api;
  const { postgres, clock } = context;
  const now = clock.now();
  const run = async (line: string, ...more: string[]) => {
    const { status, err, json } = await ops(context, line, ...more, '--json');
    if (status !== 0) throw new Error(`${line}: ${err}${JSON.stringify(json)}`);
    return json;
  };
  const pilot = await api.user({ firstname: '<b>Ada</b>', lastname: 'Pilot' });
  await postgres.transaction((tx) =>
    feedStatusWrites(tx).declare(
      ['airports', 'metar', 'taf', 'winds'].map((name) => ({
        name,
        schedule: '* * * * *',
        graceMinutes: 5,
        staleMinutes: 20,
        isOff: name === 'winds',
      })),
    ),
  );
  await runSql(postgres)`
    INSERT INTO feed_state (feed, last_count, last_success_at, last_failure_at, last_error, consecutive_failures)
    VALUES ('metar', 4321, ${now}, NULL, NULL, 0), ('taf', 99, ${new Date(now.getTime() - 3_600_000)}, ${now}, ${longError}, 3)`;
  await runSql(postgres)`
    INSERT INTO feed_run (feed, slot, started_at, finished_at, ok, error, received, stored, rejected, bytes)
    SELECT feed, at, at, at + interval '2 s', ok, CASE WHEN NOT ok THEN ${longError} END, 10, 9, 1, 1000
    FROM (SELECT f AS feed, at, f <> 'taf' OR at < ${now}::timestamptz - interval '50 min' AS ok
      FROM unnest(ARRAY['metar', 'taf']) f, generate_series(${now}::timestamptz - interval '2 h', ${now}, interval '10 min') at) runs`;
  const letters = await deadLetters(context, [longError, 'no luck either']);
  await run(`subscription grant --email ${pilot.email} --product EFB_PRO_M`);
  await run('announcement publish --body-format plain --body Text --title', 'Winter timetable');
  await run('va create --website https://air.example --name', 'Northern Test');
  await run(`va member add --email ${pilot.email} --va`, 'Northern Test');
  const answer = await api.call('refreshUserData', { token: pilot.token });
  await api.running.services.requestLog.flush();
  const { id: messageId } = await insertBySql<{ id: number }>(postgres)`
    INSERT INTO gateway_event (gateway, event, event_id, raw, received_at, occurred_at, reference, state, reason)
    SELECT code, 'ipn', 'e1', 'name of a person', ${now}, ${now}, 'REF-1', 'parked', 'There is no product EFB_LATER_M.'
    FROM gateway WHERE kind = 'card' RETURNING id`;
  const logId = Number(answer.headers.get('X-SVC-Log-Id'));
  const { id: reportId } = await insertBySql<{ id: number }>(postgres)`
    INSERT INTO problem_report (log_id, user_id, severity, description, created_at)
    VALUES (${logId}, ${pilot.id}, 'HIGH', 'The level is wrong <here>', ${now})
    RETURNING id`;
  const checklistId = await newChecklist(api, pilot, { name: '<b>Flaps</b>', shareCommunity: true });
  for (const reason of ['WRONG', 'OTHER']) {
    const { token } = await api.user();
    await api.call('checklistReport', { token, data: { checklistId, reason, description: 'Not <here>' } });
  }
  const { id: subscriptionId } = await insertBySql<{ id: number }>(
    postgres,
  )`SELECT max(id) AS id FROM subscription`;
  const asking = await postgres.transaction((tx) =>
    tx.any<{ id: number }>(sql`
      INSERT INTO developer_key (name, key_hash, key_hint, owner_id, requested_permissions, requested_at, request_reason)
      SELECT 'Asking ' || n, convert_to('asking ' || n, 'UTF8'), 'dk_ask', ${pilot.id},
        '{"userInfo": "FULL", "weather": true, "efb": false, "library": true, "subscription": null}', ${now}, 'An <EFB>'
      FROM generate_series(1, 2) n RETURNING id`),
  );
  const askingIds = asking.map(({ id }) => id);
  return { pilot, letters, messageId, reportId, logId, checklistId, subscriptionId, askingIds };
};

/** Digest of the row on a page, from its form for this verb. */
export const seenOn = (text: string, path: string, field = ''): string | undefined => {
  const form = text
    .split('<form')
    .find((each) => each.includes(`action="/console${path}"`) && each.includes(field));
  return /name="seen" value="([^"]{64})"/.exec(form ?? '')?.[1];
};

/** A new console token. */
export const consoleToken = async (api: TestApi, name: string): Promise<string> =>
  String((await ops(api.context, 'console token --json --name', name)).json['token']);

export interface ConsoleAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface OperatorAtConsole {
  cookie: string;
  formToken: string;
  get: (path: string, headers?: Record<string, string>) => Promise<ConsoleAnswer>;
  /** With the page's form token and the headers that a browser sends. */
  post: (
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<ConsoleAnswer>;
}

export const fetchConsole = async (
  api: TestApi,
  path: string,
  init: RequestInit = {},
): Promise<ConsoleAnswer> => {
  const response = await api.fetch(`/console${path}`, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** Posts a form like a browser on this origin. */
export const postForm = (
  api: TestApi,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<ConsoleAnswer> =>
  fetchConsole(api, path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: api.url, 'sec-fetch-site': 'same-origin', ...headers },
  });

export const signedIn = async (api: TestApi, name: string): Promise<OperatorAtConsole> => {
  const answer = await postForm(api, '/sign-in', { token: await consoleToken(api, name) });
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const get = (path: string, headers = {}) => fetchConsole(api, path, { headers: { cookie, ...headers } });
  const formToken = /name="form_token" value="([^"]+)"/.exec((await get('/audit')).text)?.[1] ?? '';
  return {
    cookie,
    formToken,
    get,
    post: (path, fields = {}, headers = {}) =>
      postForm(api, path, { form_token: formToken, ...fields }, { cookie, ...headers }),
  };
};
