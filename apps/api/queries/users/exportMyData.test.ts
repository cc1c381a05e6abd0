import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notExported, ownedTables } from '#store/postgres/users/personal-data.ts';
import { sql } from '#store/postgres/sql.ts';
import type { TestUser } from '#test/api.ts';
import { uploadFolder } from '#store/storage/pieces.ts';
import { at, refusal } from '#test/support/answers.ts';
import { dataOf, fleetCalls } from '#test/support/fleet.ts';
import { inflightLanding, insertLanding } from '#test/support/landing.ts';
import { planOf } from '#test/support/plans.ts';
import { about, pictureApi, plain } from '#test/support/pictures.ts';
import type { PictureApi } from '#test/support/pictures.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';

let pictures: PictureApi;
let user: TestUser;
beforeAll(async () => {
  pictures = await pictureApi();
  user = await pictures.api.user({ firstname: 'Zoë', pin: '471199' });
});
afterAll(() => pictures.close());

const exported = (token = user.token) => pictures.api.call('exportMyData', { token });
const postgres = () => pictures.api.context.postgres;

describe('exportMyData', () => {
  test('Every table that refers to users is either exported or excluded with a reason (G-41)', async () => {
    const tables = await postgres().db.any<{ name: string }>(sql`
      SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
      WHERE contype = 'f' AND confrelid = 'app_user'::regclass`);
    expect(new Set(tables.map(({ name }) => name))).toEqual(new Set(ownedTables));
    const records = Object.keys(at(await exported(), 'records') as object);
    for (const table of ownedTables) expect(records.includes(table)).toBe(!Object.hasOwn(notExported, table));
  });

  test('The document has the account, its rows and its pictures, and no data of others (G-41)', async () => {
    const { api } = pictures;
    const other = await api.user();
    const now = api.context.clock.now();
    const { id: va } = await insertBySql<{ id: number }>(postgres())`
      INSERT INTO virtual_airline (name) VALUES ('Export Air') RETURNING id`;
    for (const owner of [user, other]) {
      await api.grant(owner, 'EFB_PRO_M');
      await postgres().transaction((tx) => insertLanding(tx, owner.id, now, inflightLanding));
      await runSql(postgres())`INSERT INTO va_member (user_id, va_id) VALUES (${owner.id}, ${va})`;
      await runSql(postgres())`
        INSERT INTO problem_report (log_id, user_id, severity, description, created_at)
        VALUES (1, ${owner.id}, 'LOW', ${`by ${owner.email}`}, ${now})`;
      const { id } = await insertBySql<{ id: string }>(postgres())`
        INSERT INTO checklist (user_id, name, version, document, share_community, created_at, updated_at)
        VALUES (${owner.id}, ${`of ${owner.email}`}, '1.0', '{"pages": 1}', false, ${now}, ${now}) RETURNING id`;
      await runSql(postgres())`
        INSERT INTO checklist_rating (checklist_id, user_id, rating, rated_at)
        VALUES (${id}, ${owner.id}, 4, ${now})`;
      await runSql(postgres())`
        INSERT INTO outgoing_mail (key, recipient, subject, body_text, created_at)
        VALUES (${owner.email}, ${owner.email}, 'Hello', 'canary-body', ${now})`;
    }
    const ofpId = await planOf(api, user);
    const ofOfp = (name: string, data: object) =>
      api.call(name, { token: user.token, data: { ofpId, ...data } });
    await ofOfp('flightDataSave', { payload: { exported: 1 } });
    await ofOfp('flightDataSave', { payload: { exported: 2 } });
    const share = at(await ofOfp('ofpShare', { sharedWithEmail: 'fo@example.org' }), 'share') as object;
    dataOf(await fleetCalls(api).save(user, 'D-AEXP', 'A320-214', { weight: { mslw: 64_000 } }));
    const file = await plain(700, 700).png().toBuffer();
    await pictures.upload('uploadProfilePicture', user.token, file);
    await api.call('saveUserSettings', { token: user.token, data: { defaultUnit: 'HYBRID2' } });

    const answer = await exported();
    expect(answer.status).toBe(200);
    expect(at(answer, 'account')).toMatchObject({
      id: user.id,
      email: user.email,
      firstname: 'Zoë',
      preferences: { defaultUnit: 'HYBRID2' },
    });
    const records = at(answer, 'records') as Record<string, Record<string, unknown>[]>;
    expect(records['subscription']).toEqual([expect.objectContaining({ product_code: 'EFB_PRO_M' })]);
    expect(records['calculation']).toEqual([expect.objectContaining({ kind: 'landingEnroute' })]);
    expect(records['calculation']?.[0]?.['request']).not.toEqual({});
    expect(records['va_member']).toEqual([expect.objectContaining({ va_id: va, name: 'Export Air' })]);
    expect(records['problem_report']).toEqual([expect.objectContaining({ description: `by ${user.email}` })]);
    expect(records['checklist']).toEqual([
      expect.objectContaining({ name: `of ${user.email}`, document: { pages: 1 } }),
    ]);
    expect(records['checklist_rating']).toEqual([expect.objectContaining({ rating: 4 })]);
    expect(records['outgoing_mail']).toMatchObject([
      { subject: 'Confirm your email address' },
      { subject: 'Hello' },
    ]);
    const named = { user_registration: 'D-AEXP', basedOnProfile: 'A320-214' };
    const data = { weight: { mslw: 64_000 }, profile: named };
    expect(records['fleet_profile']).toEqual([
      expect.objectContaining({ registration: 'D-AEXP', profile_data: data }),
    ]);
    const history = [1, 2].map((version) => expect.objectContaining({ version }));
    expect(records['flight_data']).toEqual([
      expect.objectContaining({ ofp_id: ofpId, payload: '{"exported":2}', history }),
    ]);
    expect(records['ofp_share']).toEqual([
      expect.objectContaining({ ofp_id: ofpId, email: 'fo@example.org', status: 'pending' }),
    ]);
    const profile = Buffer.from(String(at(answer, 'pictures', 'profile')), 'base64');
    expect(await about(profile)).toMatchObject({ format: 'jpeg', width: 512 });
    expect(at(answer, 'pictures', 'alias')).toBeNull();

    const text = JSON.stringify(answer.body);
    for (const secret of Object.entries(share).flatMap(([name, value]) =>
      ['shareToken', 'shareCode'].includes(name) ? [String(value)] : [],
    ))
      expect(text).not.toContain(secret);
    for (const secret of [other.email, 'argon2', '471199', user.password, 'canary-body', 'token_hash'])
      expect(text).not.toContain(secret);
  });

  test('Many rows arrive complete in every encoding, and none of them stay on the disk', async () => {
    const { api } = pictures;
    const { token, email } = await api.user();
    await runSql(postgres())`
      INSERT INTO outgoing_mail (key, recipient, subject, created_at)
      SELECT 'many' || i, ${email}, 'Many ' || i, now() FROM generate_series(1, 2000) i`;
    for (const encoding of ['gzip', 'identity']) {
      const response = await api.fetch('/api', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'accept-encoding': encoding,
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({ query: 'exportMyData' }),
      });
      expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding);
      const { records } = (await response.json()) as {
        records: Record<string, { subject?: string }[]>;
      };
      expect(records['outgoing_mail']?.map(({ subject }) => subject).slice(1)).toEqual(
        Array.from({ length: 2_000 }, (_, i) => `Many ${i + 1}`),
      );
    }
    expect(await readdir(uploadFolder(api.context.config))).toEqual([]);
  });

  test('A row that cannot be exported is a service error, and a file replaced meanwhile is null', async () => {
    const { api } = pictures;
    const leaving = await api.user();
    dataOf(await fleetCalls(api).save(leaving, 'D-AEXQ', 'A320-214', { weight: { mslw: 64_000 } }));
    const { key } = await postgres().db.one<{ key: string }>(
      sql`SELECT storage_key AS key FROM fleet_profile WHERE user_id = ${leaving.id}`,
    );
    await api.context.storage.put(key, Buffer.from('no JSON'), 'application/json');
    expect(refusal(await exported(leaving.token))).toEqual([500, 'INTERNAL_ERROR']);
    await api.context.storage.delete(key);
    expect(at(await exported(leaving.token), 'records', 'fleet_profile', 0)).toMatchObject({
      registration: 'D-AEXQ',
      profile_data: null,
    });
  });

  test('A new account has empty lists, except for its call, its session and its registration mail', async () => {
    const { token } = await pictures.api.user();
    const records = at(await exported(token), 'records') as Record<string, unknown[]>;
    for (const [table, rows] of Object.entries(records).filter(([name]) => name !== 'request_log'))
      expect([table, rows.length]).toEqual([
        table,
        ['user_session', 'outgoing_mail'].includes(table) ? 1 : 0,
      ]);
  });

  test('A call requires a token and a key with FULL user_info (G-18, M-5.2a)', async () => {
    const { api } = pictures;
    expect(refusal(await api.call('exportMyData'))).toEqual([401, 'AUTH_REQUIRED']);
    const call = (devKey: string) => api.call('exportMyData', { token: user.token, devKey });
    expect(refusal(await call(await api.key({ userInfo: 'MEDIUM' })))).toEqual([403, 'ACCESS_DENIED']);
    expect(refusal(await call('dk_wrong'))).toEqual([401, 'INVALID_DEV_KEY']);
  });
});
