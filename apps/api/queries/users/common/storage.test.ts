import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { documentOf, newChecklist } from '#test/support/checklists.ts';
import { planDocument } from '#test/support/ofp.ts';
import { planOf, shareWith } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';

type Fields = Record<string, unknown>;

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
});
afterAll(() => api.close());

const call = (query: string, data: Fields, { token } = pilot): Promise<Answer> =>
  api.call(query, { token, data });
const setQuota = (mb: number) =>
  runSql(api.context.postgres)`UPDATE product SET storage_quota_mb = ${mb} WHERE code = 'EFB_PREVIEW'`;
const used = async (user = pilot): Promise<number> =>
  Number(at(await call('userStatistics', {}, user), 'statistics', 'storageUsedBytes'));

/** Each stores something new. */
const writes: Readonly<Record<string, (more?: Fields) => Fields>> = {
  ofpImport: (more = {}) => ({ source: 'json', document: planDocument({ requestId: '41' }), ...more }),
  checklistSave: (more = {}) => ({ name: 'Mine', checklist: documentOf(), ...more }),
  fleetSave: (more = {}) => ({
    registration: 'D-AIZA',
    basedOnProfile: 'A320-214',
    profileData: { weight: { mslw: 64_000 } },
    ...more,
  }),
};

describe('storage of an account', () => {
  test.each(Object.keys(writes))(
    '%s counts towards the storage, and is refused with the figures when it does not fit',
    async (query) => {
      const data = writes[query]?.() ?? {};
      const before = await used();
      await setQuota(0);
      const refused = await call(query, data);
      expect(refusal(refused)).toEqual([413, 'STORAGE_QUOTA_EXCEEDED']);
      const newBytes = at(refused, 'newBytes');
      expect(newBytes).toBeGreaterThanOrEqual(1_024);
      expect([await used(), JSON.stringify(refused.body)]).toEqual([
        before,
        expect.stringContaining('"quotaMb":0'),
      ]);
      await setQuota(250);
      expect((await call(query, data)).status).toBe(200);
      expect(await used()).toBe(before + Number(newBytes));
    },
  );

  test('A save that does not grow is accepted even with a full storage', async () => {
    const checklistId = await newChecklist(api, pilot);
    await setQuota(0);
    const again = await call('checklistSave', { checklistId, name: 'Mine', checklist: documentOf() });
    const profile = await call('fleetSave', writes['fleetSave']?.() ?? {});
    await setQuota(250);
    expect([again.status, profile.status]).toEqual([200, 200]);
  });

  test('Every version of flight data counts for the plan’s owner, whoever saves it', async () => {
    const editor = await api.user();
    const ofpId = await planOf(api, pilot);
    await shareWith(api, ofpId, [pilot, editor], 'edit');
    const before = await used();
    const save = (bytes: number, user = pilot) =>
      call('flightDataSave', { ofpId, payload: 'x'.repeat(bytes) }, user);
    await setQuota(1);
    expect([(await save(400_000)).status, (await save(9, editor)).status]).toEqual([200, 200]);
    expect([await used(), await used(editor)]).toEqual([before + 401_024, 0]);
    for (const user of [pilot, editor]) {
      const refused = await save(700_000, user);
      expect(refusal(refused)).toEqual([413, 'STORAGE_QUOTA_EXCEEDED']);
      expect(refused.body).toMatchObject({
        usedBytes: before + 401_024,
        quotaMb: 1,
        newBytes: 700_000,
      });
    }
    const restored = await call('flightDataRestore', { ofpId, version: 1 });
    expect(restored.status).toBe(200);
    expect(refusal(await call('flightDataRestore', { ofpId, version: 1 }))).toEqual([
      413,
      'STORAGE_QUOTA_EXCEEDED',
    ]);
    expect((await call('ofpDelete', { ofpId })).status).toBe(200);
    await setQuota(250);
    expect(await used()).toBe(before);
  });

  test('A plan has at most 1,000 sections, an account as many checklists as its product allows', async () => {
    const run = runSql(api.context.postgres);
    const ofpId = await planOf(api, pilot);
    const now = api.context.clock.now();
    await run`
      INSERT INTO flight_data (owner_id, ofp_id, data_key, version, payload_bytes, created_at, updated_at)
      SELECT ${pilot.id}, ${ofpId}, 'k' || n, 1, 2, ${now}, ${now} FROM generate_series(1, 1000) n`;
    await run`
      INSERT INTO checklist (user_id, name, version, document, share_community, created_at, updated_at)
      SELECT ${pilot.id}, 'x', '1', '{}', false, ${now}, ${now} FROM generate_series(1, 100)`;
    const section = (dataKey: string) => call('flightDataSave', { ofpId, dataKey, payload: {} });
    expect(refusal(await section('another'))).toEqual([409, 'FLIGHT_DATA_FULL']);
    expect((await section('k7')).status).toBe(200);
    const another = () => call('checklistSave', writes['checklistSave']?.() ?? {});
    const refused = await another();
    expect(refusal(refused)).toEqual([409, 'CHECKLISTS_FULL']);
    const { statistics } = (await call('userStatistics', {})).body as { statistics: Fields };
    const { checklistCount, checklistLimit } = statistics;
    expect(checklistLimit).toBe(100);
    expect(refused.body).toMatchObject({ checklistCount, checklistLimit });
    await api.grant(pilot, 'EFB_LITE_M');
    expect((await another()).status).toBe(200);
  });
});
