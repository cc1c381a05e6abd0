import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OfpSummary } from '#domain/ofp/summary.ts';
import type { PlanOptions } from '#simulated/planner/plan.ts';
import type { PlanFormat } from '#test/support/plan-formats.ts';
import { startSimulated } from '#test/support/simulated.ts';
import type { SimulatedSources } from '#test/support/simulated.ts';
import { testApi } from '#test/api.ts';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { longHaul, planDocument, planText } from '#test/support/ofp.ts';
import { shareWith } from '#test/support/plans.ts';
import { allLogged } from '#test/support/request-log.ts';
import { runSql } from '#test/support/sql.ts';

const path = '/xml.fetcher.php';
let planner: SimulatedSources;
let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  planner = await startSimulated();
  api = await testApi({ env: { PLANNER_URL: `${planner.origin}${path}` } });
});
afterAll(async () => {
  await api.close();
  await planner.close();
});
beforeEach(async () => {
  user = await api.user();
  planner.setMode(path, 'ok');
});

/** Makes SimBrief answer with this plan from now on. */
const serve = (options: Partial<PlanOptions> = {}, format: PlanFormat = 'json=v2') =>
  planner.setRoute(path, () => ({ bytes: planText(options, format), contentType: 'text/plain' }));
const serveText: (bytes: string, status?: number) => void = (bytes, status = 200) =>
  planner.setRoute(path, () => ({ bytes, contentType: 'application/json', status }));

/** An import at a time at which SimBrief may be asked again. */
const importPlan = (data: unknown = { plannerUserId: 123_456 }, token = user.token) => {
  api.context.clock.advance(10);
  return api.call('ofpImport', { token, data });
};
const document = (options: Partial<PlanOptions> = {}) => ({
  source: 'json',
  document: planDocument(options),
});
const ofpOf = ({ body }: Answer) => body['ofp'] as OfpSummary & Record<string, unknown>;
const codes = (answer: Answer) => (answer.body['warnings'] as { code: string }[]).map(({ code }) => code);
const outcome = ({ status, body }: Answer) => [status, body['created'], body['updated'], body['unchanged']];
const list = async () => (await api.call('ofpList', { token: user.token })).body['items'] as OfpSummary[];

const upload = async (bytes: string | Buffer, data: unknown = { source: 'json' }, { token } = user) => {
  const form = new FormData();
  form.set('query', 'ofpImport');
  form.set('data', JSON.stringify(data));
  form.set('file', new Blob([new Uint8Array(Buffer.from(bytes))], { type: 'text/plain' }), 'plan.txt');
  const response = await api.fetch('/api', {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
};

describe('ofpImport from SimBrief', () => {
  test.each<PlanFormat>(['json=v2', 'json=1', 'xml'])(
    'A plan in the format %s is stored under an id of this service (M-4.2.q7, G-06)',
    async (format) => {
      serve({}, format);
      const answer = await importPlan();
      expect(outcome(answer)).toEqual([200, true, false, false]);
      expect(answer.body['ofpId']).toMatch(/^OFP-[a-z2-7]{20}$/);
      expect(ofpOf(answer)).toMatchObject({
        ofpId: answer.body['ofpId'],
        name: 'SYN123 KBOS-KJFK',
        source: 'planner',
        access: 'owner',
        ownerUserId: user.id,
        plannerRequestId: '184000001',
        generatedAt: '2026-09-16T10:00:00Z',
        revision: 1,
        isStale: false,
        profileMatch: { file: '737-800-7B26', confidence: 'engines' },
      });
      expect(answer.body['warnings']).toEqual([]);
    },
  );

  test('The SimBrief user is taken from the call by id or alias, otherwise from the preferences', async () => {
    serve();
    const asked = async (data: unknown) => {
      expect((await importPlan(data)).status).toBe(200);
      return planner.requests.at(-1)?.query.toString();
    };
    expect(refusal(await importPlan({}))).toEqual([400, 'MISSING_PLANNER_ID']);
    expect(await asked({ plannerUserId: 42 })).toBe('userid=42&json=v2');
    expect(await asked({ plannerUserId: ' 0042 ' })).toBe('userid=42&json=v2');
    expect(await asked({ plannerUsername: 'Zoë.co' })).toBe('username=Zo%C3%AB.co&json=v2');
    expect(await asked({ plannerUserId: 42, staticId: 'A&userid=1' })).toBe(
      'userid=42&static_id=A%26userid%3D1&json=v2',
    );
    await api.call('saveUserSettings', { token: user.token, data: { planner: { plannerUserId: 77 } } });
    expect(await asked({})).toBe('userid=77&json=v2');
    expect(await asked({ plannerUsername: 'ada' })).toBe('username=ada&json=v2');
  });

  test.each([
    [{ plannerUserId: 12_345_678 }, 'INVALID_PLANNER_ID'],
    [{ plannerUserId: '12a' }, 'INVALID_PLANNER_ID'],
    [{ plannerUserId: -1 }, 'INVALID_PLANNER_ID'],
    [{ plannerUserId: 1.5 }, 'INVALID_PLANNER_ID'],
    [{ plannerUsername: '?x=1' }, 'INVALID_PLANNER_ID'],
    [{ plannerUsername: 'x'.repeat(65) }, 'INVALID_PLANNER_ID'],
    [{ source: 'ftp' }, 'INVALID_FIELD'],
    [{ plannerUserId: 1, ofpId: '../x' }, 'INVALID_OFP_ID'],
    [{ plannerUserId: 1, name: 'x'.repeat(101) }, 'INVALID_FIELD'],
  ])('%j is refused with 400 and does not reach SimBrief', async (data, code) => {
    const before = planner.requests.length;
    expect(refusal(await importPlan(data))).toEqual([400, code]);
    expect(planner.requests.length).toBe(before);
  });

  test('SimBrief is fetched at most every 10 seconds per user, and only fetches count (G-06)', async () => {
    serve();
    const call = (data: unknown, token = user.token) => api.call('ofpImport', { token, data });
    const fetched = { plannerUserId: 1 };
    expect((await importPlan(fetched)).status).toBe(200);
    const refused = await call(fetched);
    expect([...refusal(refused), refused.headers.get('retry-after')]).toEqual([
      429,
      'PLANNER_RATE_LIMITED',
      '10',
    ]);
    for (let i = 0; i < 3; i += 1) expect((await call(document())).status).toBe(200);
    expect((await call(fetched, (await api.user()).token)).status).toBe(200);
    api.context.clock.advance(9);
    expect((await call(fetched)).headers.get('retry-after')).toBe('1');
    api.context.clock.advance(1);
    expect((await call(fetched)).status).toBe(200);
    api.context.clock.advance(10);
    const atOnce = await Promise.all(Array.from({ length: 10 }, () => call(fetched)));
    expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  const words = (status: string) => JSON.stringify({ fetch: { status } });
  test.each([
    ['an unknown user', 400, words('Error: Unknown UserID'), 404, 'PLANNER_USER_NOT_FOUND'],
    [
      'an unknown user in XML',
      400,
      '<OFP><fetch><status>Error: Unknown UserID</status></fetch></OFP>',
      404,
      'PLANNER_USER_NOT_FOUND',
    ],
    ['no plan', 400, words('Error: No flight plan on file for the specified user'), 404, 'PLANNER_NO_PLAN'],
    ['an unknown dispatch id', 400, words('Error: Unknown static_id'), 404, 'PLANNER_NO_PLAN'],
    ['another error', 400, words('Error: maintenance'), 502, 'PLANNER_UNAVAILABLE'],
    ['success without a plan', 200, words('Success'), 502, 'PLANNER_UNAVAILABLE'],
    ['an empty body', 200, '', 502, 'PLANNER_UNAVAILABLE'],
    ['a busy server', 503, 'busy', 502, 'PLANNER_UNAVAILABLE'],
    ['a wrong address', 404, 'none', 502, 'PLANNER_UNAVAILABLE'],
    ['more than 8 MB', 200, 'x'.repeat(9_000_000), 502, 'PLANNER_UNAVAILABLE'],
  ])('The SimBrief answer %s (%i) is refused, no. %#', async (_name, plannerStatus, text, status, code) => {
    serveText(text, plannerStatus);
    expect(refusal(await importPlan())).toEqual([status, code]);
  });

  test('A planner that fails, redirects, truncates or disconnects leaves the stored plans unchanged (G-06)', async () => {
    serve();
    await importPlan();
    const before = await list();
    for (const mode of ['500', '302', 'html', 'truncated', 'reset'] as const) {
      planner.setMode(path, mode);
      expect([mode, ...refusal(await importPlan())]).toEqual([mode, 502, 'PLANNER_UNAVAILABLE']);
    }
    expect(await list()).toEqual(before);
  });

  test('A transient failure is retried once', async () => {
    let calls = 0;
    planner.setRoute(path, () => {
      calls += 1;
      return {
        bytes: calls === 1 ? '' : planText(),
        contentType: 'text/plain',
        status: calls === 1 ? 502 : 200,
      };
    });
    expect((await importPlan()).status).toBe(200);
    expect(calls).toBe(2);
  });
});

describe('ofpImport of a document', () => {
  test.each([
    ['an object', { source: 'json', document: planDocument() }, 'json'],
    ['JSON as text', { source: 'json', document: planText() }, 'json'],
    ['XML as text', { source: 'xml', document: planText({}, 'xml') }, 'xml'],
    ['a document without a source', { document: planText({}, 'xml') }, 'xml'],
    ['XML that was announced as JSON', { source: 'json', document: planText({}, 'xml') }, 'xml'],
  ])('%s is stored (G-06)', async (_name, data, source) => {
    const answer = await api.call('ofpImport', { token: user.token, data });
    expect(outcome(answer)).toEqual([200, true, false, false]);
    expect(ofpOf(answer)).toMatchObject({ source, plannerRequestId: '184000001' });
  });

  test('A document over the JSON limit is sent as a file of up to 8 MB (G-06)', async () => {
    const large = planText({ notamCharacters: 1_500_000 });
    expect(large.length).toBeGreaterThan(4_500_000);
    const asJson = await api.call('ofpImport', {
      token: user.token,
      data: { source: 'json', document: large },
    });
    expect(refusal(asJson)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const asFile = await upload(large);
    expect(outcome(asFile)).toEqual([200, true, false, false]);
    const got = await api.call('ofpGet', {
      token: user.token,
      data: { ofpId: asFile.body['ofpId'], sections: ['notams'] },
    });
    expect((at(got, 'original', 'notams', 'notamdrec') as unknown[]).length).toBeGreaterThan(4_000);
    expect(refusal(await upload(`${large}${' '.repeat(8_388_609 - large.length)}`))).toEqual([
      413,
      'DOCUMENT_TOO_LARGE',
    ]);
    expect(refusal(await upload(Buffer.from('%PDF-1.7 not a plan')))).toEqual([415, 'UNSUPPORTED_TYPE']);
    expect((await upload(planText({ requestId: '9' }, 'xml'), { name: 'Mine' })).status).toBe(200);
    expect(outcome(await upload(`\uFEFF ${planText({ requestId: '10' })}`))).toEqual([
      200,
      true,
      false,
      false,
    ]);
  });

  test('A document that is not a plan is refused with the reason, and a missing one, too', async () => {
    const refused = async (given: unknown) => {
      const answer = await api.call('ofpImport', {
        token: user.token,
        data: { source: 'json', document: given },
      });
      expect(refusal(answer)).toEqual([400, 'INVALID_DOCUMENT']);
      return String(at(answer, 'error', 'message'));
    };
    expect(await refused({ a: 1 })).toContain('no origin');
    expect(await refused('{"origin":')).toContain('not complete JSON');
    expect(await refused('<!DOCTYPE a [<!ENTITY b "c">]><OFP>&b;</OFP>')).toContain('document type');
    expect(await refused(undefined)).toContain('"document"');
    expect(await refused(7)).toContain('not a flight plan');
  });

  test('A second document and one beside the source "planner" are refused instead of ignored', async () => {
    const before = planner.requests.length;
    const one = document();
    const answers = [
      await upload(planText(), one),
      await upload(planText(), { source: 'planner', plannerUserId: 1 }),
      await importPlan({ ...one, source: 'planner', plannerUserId: 1 }),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [400, 'INVALID_DOCUMENT']));
    expect([await list(), planner.requests.length]).toEqual([[], before]);
  });

  test('Crew names reach neither the request log nor the summary', async () => {
    await api.call('ofpImport', { token: user.token, data: document({ pilot: 'CANARY CAPTAIN' }) });
    await api.running.services.requestLog.flush();
    const logged = JSON.stringify(await allLogged(api.context.postgres.db));
    expect(logged).toContain('ofpImport');
    expect(logged).not.toContain('CANARY');
    expect(JSON.stringify(await list())).not.toContain('CANARY');
  });
});

describe('ofpImport of a stored plan', () => {
  test('The same plan again is unchanged and keeps its id, whatever its format (G-06)', async () => {
    serve();
    const first = await importPlan();
    for (const format of ['json=v2', 'json=1', 'xml'] as const) {
      serve({}, format);
      const again = await importPlan();
      expect(outcome(again)).toEqual([200, false, false, true]);
      expect(again.body['ofpId']).toBe(first.body['ofpId']);
    }
    expect(await list()).toHaveLength(1);
    expect((await list())[0]?.revision).toBe(1);
    const forced = await importPlan({ plannerUserId: 123_456, ifChanged: false, name: 'Renamed' });
    expect(outcome(forced)).toEqual([200, false, true, false]);
    expect(ofpOf(forced)).toMatchObject({ name: 'Renamed', revision: 2 });
  });

  test('A newer plan with the same dispatch id is a new revision, a different plan is new, and the newest is listed first (G-06)', async () => {
    serve({ staticId: 'MY_1' });
    const first = await importPlan();
    serve({ staticId: 'MY_1', requestId: '184000009', generatedAt: new Date('2026-09-16T11:00:00Z') });
    const second = await importPlan();
    expect(outcome(second)).toEqual([200, false, true, false]);
    expect(ofpOf(second)).toMatchObject({
      ofpId: first.body['ofpId'],
      revision: 2,
      generatedAt: '2026-09-16T11:00:00Z',
    });
    serve(longHaul);
    const third = await importPlan();
    expect(outcome(third)).toEqual([200, true, false, false]);
    expect((await list()).map(({ ofpId }) => ofpId)).toEqual([third.body['ofpId'], first.body['ofpId']]);
    serve({ staticId: 'MY_1' });
    expect(outcome(await importPlan())).toEqual([200, true, false, false]);
  });

  test('With ofpId that plan is refreshed, and an older document does not replace it', async () => {
    const { body } = await importPlan(document());
    const refresh = (options: Partial<PlanOptions>, more = {}) =>
      importPlan({ ...document(options), ofpId: body['ofpId'], ...more });
    const other = await refresh({ ...longHaul, generatedAt: new Date('2026-09-16T11:00:00Z') });
    expect(outcome(other)).toEqual([200, false, true, false]);
    expect(codes(other)).toEqual(['DIFFERENT_FLIGHT']);
    const older = await refresh({});
    expect(outcome(older)).toEqual([200, false, false, true]);
    expect(codes(older)).toEqual(['OLDER_THAN_STORED']);
    expect(ofpOf(older).origin.icao).toBe('EGLL');
    expect(outcome(await refresh({}, { ifChanged: false }))).toEqual([200, false, true, false]);
    const stranger = await api.user();
    for (const token of [stranger.token, user.token])
      expect(
        refusal(
          await importPlan(
            { ...document(), ofpId: token === user.token ? 'OFP-none' : body['ofpId'] },
            token,
          ),
        ),
      ).toEqual([404, 'OFP_NOT_FOUND']);
    await shareWith(api, String(body['ofpId']), [user, stranger], 'edit');
    const byRecipient = await importPlan({ ...document(), ofpId: body['ofpId'] }, stranger.token);
    expect(refusal(byRecipient)).toEqual([403, 'INSUFFICIENT_PERMISSION']);
  });

  test('Documents without ids are recognised by their content, and simultaneous imports store one plan', async () => {
    const bare: Record<string, object> = { ...planDocument(), params: {} };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.call('ofpImport', { token: user.token, data: { source: 'json', document: bare } }),
      ),
    );
    // One document of an account is being read, and one is waiting.
    const stored = answers.filter(({ status }) => status === 200);
    expect(stored.length).toBeGreaterThanOrEqual(2);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect([...refusal(answer), answer.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1']);
    expect(new Set(stored.map(({ body }) => body['ofpId'])).size).toBe(1);
    expect(answers.filter(({ body }) => body['created'] === true)).toHaveLength(1);
    const changed = { ...bare, general: { ...bare['general'], route: 'OTHER' } };
    const after = outcome(await importPlan({ source: 'json', document: changed }));
    expect(after).toEqual([200, true, false, false]);
  });

  test('Old plans and plans whose weights differ from the profile are stored with a caution (G-06)', async () => {
    const old = await importPlan(document({ generatedAt: new Date('2026-09-14T10:00:00Z') }));
    expect(codes(old)).toEqual(['OFP_OLDER_THAN_24H']);
    expect(ofpOf(old).isStale).toBe(true);
    const loads = {
      oew: 91_300,
      payload: 26_500,
      maxZfw: 138_300,
      maxTow: 174_200,
      maxLdw: 120_000,
      burn: 6_400,
    };
    const light = await importPlan(document({ requestId: '5', loads }));
    expect(light.body['warnings']).toEqual([
      expect.objectContaining({ code: 'WEIGHT_DEVIATION', path: 'weights.max_ldw' }),
    ]);
    await api.call('saveUserSettings', {
      token: user.token,
      data: { planner: { plannerLoadDeviation: 40 } },
    });
    expect(codes(await importPlan(document({ requestId: '6', loads })))).toEqual([]);
  });

  test('A user has at most 200 plans, and stored ones can still be refreshed (G-06)', async () => {
    const { body } = await importPlan(document());
    await runSql(api.context.postgres)`
      INSERT INTO ofp (id, user_id, name, source, content_hash, facts, created_at, imported_at, expires_at)
      SELECT 'OFP-' || ${user.id}::int || '-' || n, user_id, name, source, 'h' || n, facts, created_at, imported_at, expires_at
      FROM ofp, generate_series(1, 199) n WHERE id = ${body['ofpId']}`;
    expect(refusal(await importPlan(document(longHaul)))).toEqual([409, 'OFP_LIMIT_REACHED']);
    expect(outcome(await importPlan(document()))).toEqual([200, false, false, true]);
    await runSql(api.context.postgres)`DELETE FROM ofp WHERE id = 'OFP-' || ${user.id}::int || '-7'`;
    expect((await importPlan(document(longHaul))).status).toBe(200);
  });

  test('A call without a token is refused', async () => {
    expect(refusal(await api.call('ofpImport', { data: document() }))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
