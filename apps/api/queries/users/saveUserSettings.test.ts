import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPreferences } from '#domain/users/preferences.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
});
beforeEach(async () => {
  user = await api.user();
});
afterAll(() => api.close());

const save = (data: unknown, query = 'saveUserSettings') => api.call(query, { token: user.token, data });
const shown = async (...path: string[]) =>
  at(await api.call('refreshUserData', { token: user.token }), 'user', 'userPreferences', ...path);
const stored = () =>
  api.context.postgres.db.one<{ preferences: unknown }>(
    sql`SELECT preferences FROM app_user WHERE id = ${user.id}`,
  );
const lock = (isLocked: boolean) =>
  runSql(api.context.postgres)`UPDATE app_user SET settings_locked = ${isLocked} WHERE id = ${user.id}`;

/** `{ a: { b: value } }` for the path `a.b`. */
const nested = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value);

const startup = { file: 'A320-214', userRegistration: 'D-AIZA', vaFleet: true };
const tool = { id: 'crosswind', visible: false, order: 3 };

const fields: [field: string, good: unknown, bad: unknown][] = [
  ['displayIntegratedTutorial', false, 'no'],
  ['defaultUnit', 'HYBRID3', 'STONES'],
  ['onlineServer', 'IVAO', 'ELSEWHERE'],
  ['defaultAircraftOnStartup', startup, 'A320-214'],
  ['performance.takeoff.customizeStandardEngineFailureProcedure', true, 1],
  ['performance.takeoff.customizedText', 'Climb straight ahead to 1,500 ft – ✈', 7],
  ['performance.takeoff.displayEngineFailureInFull', true, 'true'],
  ['performance.wb.displayGraphicalError', false, null],
  ['export.signBeforeExport', true, 0],
  ['export.printerPaperWidth_mm', 57.5, '58'],
  ['export.datalinkAutomaticExport', true, 'yes'],
  ['export.datalinkCallsign', 'DLH4AB', 4],
  ['export.datalinkServer', 'VATSIM', 'ELSEWHERE'],
  ['export.datalinkFormat', 'MCDU', 'PDF'],
  ['planner.plannerUserId', 4711, 47.5],
  ['planner.plannerLoadDeviation', 2.5, '2.5'],
  ['planner.plannerImportOption', 'manual', false],
  ['efb.enableEFB', false, 'false'],
  ['efb.modules.briefingNavlog', false, 0],
  ['efb.modules.checklist', false, 'off'],
  ['efb.modules.library', false, []],
  ['efb.modules.tools', false, {}],
  ['efb.toolsOptions', [tool], { crosswind: true }],
  ['weather.display', false, 'false'],
  ['weather.notification', false, 2],
];

describe('saveUserSettings', () => {
  test.each(fields)(
    'A saved %s is written and returned, and a wrong type is named in form (c) (M-2.7.p2, M-2.7.p3, M-2.7.p4, M-2.7.p5, M-2.7.p6, M-2.7.p7, M-2.7.p8, M-2.7.p9, M-2.7.p10, M-2.7.p11, M-2.7.p12, M-2.7.p13, M-2.7.p14, M-2.7.p15, M-2.7.p16, M-2.7.p17, M-2.7.p18, M-2.7.p19, M-2.7.p20, M-2.7.p21, M-2.7.p22, M-2.7.p23, M-2.7.p24, M-2.7.p25, M-2.7.p26, M-4.6.q5b)',
    async (field, good, bad) => {
      const valueIn = (tree: unknown) =>
        field.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], tree);
      expect(await shown()).toEqual(defaultPreferences);
      expect(valueIn(defaultPreferences)).not.toEqual(good);
      expect((await save(nested(field, good))).status).toBe(200);
      const before = await shown();
      expect(valueIn(before)).toEqual(good);
      const refused = await save(nested(field, bad));
      expect(refused).toMatchObject({
        status: 400,
        body: { error: expect.any(String), details: [expect.stringContaining(`${field}: `)] },
      });
      expect(Object.keys(refused.body).toSorted()).toEqual(['details', 'error']);
      expect(await shown()).toEqual(before);
    },
  );

  test('The answer names the written fields, under both names of the query (M-4.6.q5a, A-10, M-9.3c)', async () => {
    const answer = await save({
      efb: { modules: { tools: false }, toolsOptions: null },
      defaultUnit: 'METRIC_M',
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      success: true,
      apiVersion: '1.3.6',
      fieldsUpdated: ['defaultUnit', 'efb.modules.tools', 'efb.toolsOptions'],
      revision: expect.any(Number),
    });
    const alias = await save({ weather: { display: false } }, 'saveUserSettingsMobile');
    expect(at(alias, 'fieldsUpdated')).toEqual(['weather.display']);
    expect(await shown('weather')).toEqual({ display: false, notification: true });
  });

  test('Only the sent keys are written, while siblings and removed fields remain stored (M-4.6.q5b)', async () => {
    const before = {
      defaultUnit: 'HYBRID1',
      efb: { enableEFB: false, modules: { library: false } },
      landing: { x: 1 },
    };
    await runSql(api.context.postgres)`
      UPDATE app_user SET preferences = ${JSON.stringify(before)}::jsonb WHERE id = ${user.id}`;
    expect((await save({ efb: { modules: { tools: false } } })).status).toBe(200);
    expect(await stored()).toEqual({
      preferences: { ...before, efb: { enableEFB: false, modules: { library: false, tools: false } } },
    });
    expect(await shown('efb', 'modules')).toEqual({
      briefingNavlog: true,
      checklist: true,
      library: false,
      tools: false,
    });
  });

  test('Unknown keys are ignored at every depth and never stored (M-4.6.q5c)', async () => {
    const junk = {
      theme: 'dark',
      displayDemoAircraft: true,
      efb: { modules: { radio: true }, colour: 1 },
      constructor: 1,
    };
    const answer = await save(junk);
    expect([answer.status, at(answer, 'fieldsUpdated')]).toEqual([200, []]);
    const mixed = await save({ ...junk, weather: { display: false, radar: true } });
    expect(at(mixed, 'fieldsUpdated')).toEqual(['weather.display']);
    expect(await save({ efb: { toolsOptions: [{ ...tool, colour: 'red' }] } })).toMatchObject({
      status: 200,
    });
    expect(await stored()).toEqual({
      preferences: { weather: { display: false }, efb: { toolsOptions: [tool] } },
    });
    expect(at(await save({}), 'fieldsUpdated')).toEqual([]);
  });

  test('The setting toolsOptions is null or a full list, and a missing order is named (M-4.6.q5d, M-2.7.p24)', async () => {
    const { order: _, ...incomplete } = tool;
    const answer = await save({ efb: { toolsOptions: [tool, incomplete] } });
    expect(answer).toMatchObject({ status: 400 });
    expect(at(answer, 'details')).toEqual(['efb.toolsOptions.1.order: is required']);
    await save({ efb: { toolsOptions: [tool, { ...tool, id: 'descent' }] } });
    await save({ efb: { toolsOptions: [tool] } });
    expect(await shown('efb', 'toolsOptions')).toEqual([tool]);
    await save({ efb: { toolsOptions: null } });
    expect(await shown('efb', 'toolsOptions')).toBeNull();
  });

  test('Locked settings are refused with the explanation that an administrator locked them (M-4.6.q5e, M-7.x2, M-2.7.p1)', async () => {
    await lock(true);
    expect(await shown('settingsLocked')).toBe(true);
    const answer = await save({ defaultUnit: 'IMPERIAL' });
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: 'Your preferences are locked by an administrator.', details: [] },
    ]);
    expect(await shown('defaultUnit')).toBe('METRIC');
    await lock(false);
    expect((await save({ defaultUnit: 'IMPERIAL' })).status).toBe(200);
  });

  test('A user cannot lock settings: settingsLocked is dropped, whatever its value (M-4.6.q5f, M-2.7.p1)', async () => {
    for (const value of [true, 'yes', null]) {
      const answer = await save({ settingsLocked: value, weather: { display: false } });
      expect([answer.status, at(answer, 'fieldsUpdated')]).toEqual([200, ['weather.display']]);
    }
    expect(await shown('settingsLocked')).toBe(false);
    expect(await stored()).toEqual({ preferences: { weather: { display: false } } });
  });

  test('Every problem is listed with the allowed values, and nothing is written (M-4.6.q5g, M-2.1.4e, M-7.x1)', async () => {
    const answer = await save({
      weather: { display: false },
      defaultUnit: 'STONES',
      onlineServer: 'ELSEWHERE',
      export: { datalinkFormat: 'PDF', printerPaperWidth_mm: 0 },
      efb: { toolsOptions: [{ id: 'x', visible: 'yes' }] },
      performance: { takeoff: { customizedText: '✈'.repeat(4_001) } },
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body).toSorted()).toEqual(['details', 'error']);
    const details = at(answer, 'details') as string[];
    const line = (field: string) => details.find((text) => text.startsWith(`${field}: `));
    for (const unit of ['METRIC', 'METRIC_M', 'IMPERIAL', 'HYBRID1', 'HYBRID2', 'HYBRID3'])
      expect(line('defaultUnit')).toMatch(new RegExp(`\\b${unit}\\b`));
    for (const name of ['None', 'IVAO', 'VATSIM']) expect(line('onlineServer')).toContain(name);
    expect(line('efb.toolsOptions.0.order')).toContain('required');
    expect(line('performance.takeoff.customizedText')).toContain('4000 characters');
    expect(new Set(details.map((text) => text.split(':')[0]))).toEqual(
      new Set([
        'defaultUnit',
        'efb.toolsOptions.0.order',
        'efb.toolsOptions.0.visible',
        'export.datalinkFormat',
        'export.printerPaperWidth_mm',
        'onlineServer',
        'performance.takeoff.customizedText',
      ]),
    );
    expect(details).toHaveLength(7);
    expect(await stored()).toEqual({ preferences: {} });
    expect(await save([1])).toMatchObject({ status: 400, body: { details: [expect.any(String)] } });
    expect(await save({ efb: null })).toMatchObject({ status: 400, body: { details: [expect.any(String)] } });
  });

  test('No change is lost when many fields are changed at the same time', async () => {
    const parts = fields.filter(([field]) => field !== 'onlineServer');
    const answers = await Promise.all(parts.map(([field, good]) => save(nested(field, good))));
    expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200));
    const after = await api.call('refreshUserData', { token: user.token });
    for (const [field, good] of parts)
      expect(at(after, 'user', 'userPreferences', ...field.split('.'))).toEqual(good);
  });

  test('A change begun before an operator’s lock never overrides it', async () => {
    await Promise.all([lock(true), ...fields.map(([field, good]) => save(nested(field, good)))]);
    const before = await stored();
    expect((await save({ defaultUnit: 'HYBRID2' })).status).toBe(403);
    expect(await stored()).toEqual(before);
  });

  test('A call without a token is refused in the form of this query’s other errors (M-5.1, M-2.1.4e)', async () => {
    const answer = await api.call('saveUserSettings', { data: { defaultUnit: 'METRIC' } });
    expect([answer.status, answer.body]).toEqual([401, { error: 'Authentication required.', details: [] }]);
    expect(refusal(answer)).toEqual([401, null]);
  });
});

test('A value that is not allowed is refused with the allowed values in plain words', async () => {
  const { status, body } = await save({ defaultUnit: 'FURLONGS' });
  const text = JSON.stringify(body);
  expect([status, text]).toEqual([400, expect.stringContaining('must be one of METRIC')]);
  expect(text).not.toContain('Invalid option');
});
