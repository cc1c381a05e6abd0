import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultPreferences } from '#domain/users/preferences.ts';
import { productRepo, productWrites } from '#store/postgres/subscriptions/products.ts';
import { sql } from '#store/postgres/sql.ts';
import { seedPartners } from '#operator/seed.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { verifyAddress } from '#test/support/mailed-links.ts';
import { planOf } from '#test/support/plans.ts';
import { insertAllBySql, runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  await seedPartners(api.context.postgres);
  user = await api.user({ firstname: 'Zoë', lastname: 'Østergård' });
});
afterAll(() => api.close());

const refresh = (token = user.token, options: { devKey?: string } = {}) =>
  api.call('refreshUserData', { token, ...options });
const db = () => api.context.postgres.db;

describe('refreshUserData', () => {
  test('The alias gives the same body, and neither returns a token (M-4.6.q4, M-9.3b)', async () => {
    const answer = await refresh();
    expect(answer.status).toBe(200);
    expect((await api.call('refreshUserPreferences', { token: user.token })).body).toEqual(answer.body);
    expect(Object.keys(answer.body).toSorted()).toEqual(['apiVersion', 'success', 'units', 'user']);
  });

  test('The answer has the fields of the user (M-2.7.u1, M-2.7.u2, M-2.7.u3, M-2.7.u4, M-2.7.u5, M-2.7.u7, M-2.7.u13, M-2.7.u14, G-16)', async () => {
    const answer = await refresh();
    expect(at(answer, 'user')).toMatchObject({
      id: user.id,
      email: user.email,
      firstname: 'Zoë',
      lastname: 'Østergård',
      crewcode: 'OSTERZ',
      rank: 'CAPT',
      ranks: ['LTC', 'CAPT', 'FO', 'JFO'],
      chatID: null,
      streamingActive: false,
      streamingAlias: null,
      vaAdmin: null,
      createdAt: '2026-09-16 12:00:00',
      lastLogin: '2026-09-16 12:00:00',
      emailVerified: false,
      storeAccountToken: expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/),
      apiKey: expect.stringMatching(/^API(-[0-9A-Z]{4}){3}$/),
    });
    for (const name of ['profilePicture', 'aliasPicture']) {
      expect(String(at(answer, 'user', name))).toMatch(/^https?:\/\/.+\/pictures\//);
    }
  });

  test('The answer has partners, memberships and the active airline (M-2.7.u8, M-2.7.u9, M-2.7.u10, M-2.7.u15, M-2.7.u16, M-2.7.u17)', async () => {
    const partners = at(await refresh(), 'user', 'vaPartners') as Record<string, unknown>[];
    const forms = partners.map((va) =>
      'logo' in va ? 'one' : 'logoDark' in va && 'logoWhite' in va && 'two',
    );
    expect(new Set(forms)).toEqual(new Set(['one', 'two']));
    for (const va of partners) {
      expect(Object.keys(va)).toEqual(expect.arrayContaining(['id', 'name', 'website', 'contactEmail']));
    }
    expect(at(await refresh(), 'user', 'activeVa')).toBeNull();
    expect(at(await refresh(), 'user', 'virtual_airline')).toBeNull();
    expect(at(await refresh(), 'user', 'vaMemberships')).toEqual([]);

    const [first, second] = await insertAllBySql<{ id: number }>(
      api.context.postgres,
    )`INSERT INTO virtual_airline (name, legacy_name) VALUES ('Alpha Air', 'ALPHA'), ('Beta Air', NULL)
        RETURNING id`;
    await runSql(api.context.postgres)`
      INSERT INTO va_member (user_id, va_id) VALUES (${user.id}, ${first?.id}), (${user.id}, ${second?.id})`;
    for (const [active, legacy] of [
      [first?.id, 'ALPHA'],
      [second?.id, null],
    ] as const) {
      await runSql(api.context.postgres)`UPDATE app_user SET active_va_id = ${active} WHERE id = ${user.id}`;
      const answer = await refresh();
      expect(at(answer, 'user', 'activeVa', 'id')).toBe(active);
      expect(at(answer, 'user', 'virtual_airline')).toBe(legacy);
      const memberships = at(answer, 'user', 'vaMemberships') as { id: number; isActive: boolean }[];
      expect(memberships.map(({ id, isActive }) => [id, isActive])).toEqual([
        [first?.id, first?.id === active],
        [second?.id, second?.id === active],
      ]);
    }
  });

  test('The answer is right before, during and after a subscription (M-2.7.u6, M-2.7.s1, M-2.7.s2, M-2.7.s3, M-2.7.s4, M-2.7.s5, M-2.7.s6, M-2.7.s7, M-2.7.v1, M-2.7.v2, M-2.7.v3, M-2.7.v4)', async () => {
    const pilot = await api.user();
    const shown = async () => at(await refresh(pilot.token), 'user', 'subscription');
    expect(await shown()).toMatchObject({
      title: 'Preview',
      level: 0,
      status: 'NONE',
      isActive: false,
      isExpired: false,
      expiry: null,
      daysRemaining: 0,
      preview: {
        active: true,
        reason: 'NO_SUBSCRIPTION',
        allowedAirports: expect.arrayContaining(['KJFK']),
        message: expect.stringContaining('10 calculations'),
      },
    });
    await api.grant(pilot, 'EFB_LITE_M');
    expect(await shown()).toMatchObject({
      title: 'Lite, monthly',
      level: 1,
      status: 'ACTIVE',
      isActive: true,
      isExpired: false,
      expiry: '2026-10-16 12:00:00',
      daysRemaining: 30,
      preview: { active: false, reason: null, allowedAirports: [], message: null },
    });
    await runSql(api.context.postgres)`UPDATE subscription SET ends_at = ${new Date('2026-09-10T00:00:00Z')},
        starts_at = ${new Date('2026-08-10T00:00:00Z')} WHERE user_id = ${pilot.id}`;
    expect(await shown()).toMatchObject({
      title: 'Lite, monthly',
      level: 0,
      status: 'EXPIRED',
      isActive: false,
      isExpired: true,
      expiry: '2026-09-10 00:00:00',
      daysRemaining: 0,
      preview: { active: true, reason: 'SUBSCRIPTION_ENDED' },
    });
  });

  test('Capabilities follow the product row (M-2.7.c1, M-2.7.c2, M-2.7.c3, M-2.7.c4, M-2.7.c5, M-2.7.c6, M-2.7.c7, M-2.7.c8, M-2.7.c9, M-2.7.c10, G-34)', async () => {
    const pilot = await api.user();
    await api.grant(pilot, 'EFB_PRO_M');
    const shown = async () => at(await refresh(pilot.token), 'user', 'subscription', 'capabilities');
    const features = [
      'isNotam',
      'isNnc',
      'isMel',
      'isCdl',
      'isMostFav',
      'isBalkedLanding',
      'isAllIntersections',
      'isCommercial',
      'isFleetDatabase',
    ] as const;
    const toggle = (feature: (typeof features)[number]) =>
      api.context.postgres.transaction(async (tx) => {
        const product = await productRepo(tx).byCode('EFB_PRO_M');
        if (product) await productWrites(tx).save({ ...product, [feature]: !product[feature] });
      });
    const before = (await shown()) as Record<string, unknown>;
    for (const feature of features) {
      await toggle(feature);
      expect(await shown()).toEqual({ ...before, [feature]: !before[feature] });
      await toggle(feature);
    }
    await runSql(api.context.postgres)`UPDATE product SET max_calculation = 77 WHERE code = 'EFB_PRO_M'`;
    expect(await shown()).toEqual({ ...before, maxCalculation: 77 });
  });

  test('A new user has every default (M-2.7.u11, M-9.4a)', async () => {
    const pilot = await api.user();
    expect(at(await refresh(pilot.token), 'user', 'userPreferences')).toEqual(defaultPreferences);
  });

  test('Removed fields stay stored but are not returned (M-2.7.x1, M-2.7.x2, M-2.7.x3, M-2.7.x4, M-2.7.x5, M-2.7.x6, M-9.4b)', async () => {
    const pilot = await api.user();
    const stored = {
      displayDemoAircraft: true,
      landing: { displayRunwayExits: true },
      disclaimer: { accepted: true },
      visualCustomization: { theme: 'dark' },
      export: { exportEmail: 'x@y.example', exportURL: 'https://y.example', signBeforeExport: true },
    };
    await runSql(api.context.postgres)`
      UPDATE app_user SET preferences = ${JSON.stringify(stored)}::jsonb WHERE id = ${pilot.id}`;
    const shown = at(await refresh(pilot.token), 'user', 'userPreferences');
    expect(shown).toEqual({
      ...defaultPreferences,
      export: { ...defaultPreferences.export, signBeforeExport: true },
    });
    expect(await db().one(sql`SELECT preferences FROM app_user WHERE id = ${pilot.id}`)).toEqual({
      preferences: stored,
    });
  });

  test('Each value of defaultUnit is a unit preset with every unit and its factor (M-2.7.u18, G-17)', async () => {
    const answer = await refresh();
    const config = at(answer, 'units', 'unitConfig') as Record<string, string>[];
    const details = at(answer, 'units', 'unitDetails') as { id: string }[];
    expect(config.map(({ id }) => id)).toEqual([
      'METRIC',
      'METRIC_M',
      'IMPERIAL',
      'HYBRID1',
      'HYBRID2',
      'HYBRID3',
    ]);
    const known = new Set(details.map(({ id }) => id));
    for (const { id: _id, label: _label, ...quantities } of config) {
      expect(Object.values(quantities).filter((unit) => !known.has(unit))).toEqual([]);
    }
    // No two presets are the same.
    expect(new Set(config.map(({ id: _id, label: _label, ...rest }) => JSON.stringify(rest))).size).toBe(6);
  });

  test('The permissions of the key decide which fields are returned, wherever it is sent (G-18, M-5.2a, G-04)', async () => {
    const fields = async (options: { devKey?: string }) =>
      Object.keys(at(await refresh(user.token, options), 'user') as object);
    const simple = await fields({ devKey: await api.key({ userInfo: 'SIMPLE' }) });
    const medium = await fields({ devKey: await api.key({ userInfo: 'MEDIUM' }) });
    const full = await fields({});
    for (const name of ['firstname', 'lastname', 'rank', 'profilePicture', 'aliasPicture', 'activeVa']) {
      expect(simple).toContain(name);
    }
    for (const name of ['email', 'crewcode', 'userPreferences', 'subscription', 'apiKey']) {
      expect(simple).not.toContain(name);
    }
    expect(medium).toEqual(expect.arrayContaining(['email', 'crewcode', 'userPreferences', 'subscription']));
    expect(medium).not.toContain('apiKey');
    expect(medium).not.toContain('userStatisticsSinceLastLogin');
    expect(full).toEqual(expect.arrayContaining([...medium, 'apiKey', 'userStatisticsSinceLastLogin']));
    expect(await fields({ devKey: await api.key({}) })).toEqual(simple);
  });

  test('Calculations since the last login are counted (M-2.7.u12, G-16)', async () => {
    const pilot = await api.user();
    const insert = (kind: string, when: string) =>
      runSql(api.context.postgres)`
        INSERT INTO calculation (public_id, user_id, kind, profile, request, result, created_at)
        VALUES (gen_random_uuid(), ${pilot.id}, ${kind}, 'a.json', '{}', '{}', ${new Date(when)})`;
    await insert('takeoff', '2026-09-16T11:00:00Z');
    await insert('landingDispatch', '2026-09-16T13:00:00Z');
    await insert('landingDispatch', '2026-09-16T14:00:00Z');
    await insert('landingEnroute', '2026-09-16T14:00:00Z');
    expect(at(await refresh(pilot.token), 'user', 'userStatisticsSinceLastLogin')).toEqual({
      since: '2026-09-16 12:00:00',
      calculations: { takeoff: 0, landingDispatch: 2, landingEnroute: 1, other: 0, total: 3 },
      newCommunityChecklists: 0,
      newShares: 0,
    });
  });

  test('Shares received or accepted since the last login are counted, unless revoked or expired (M-2.7.u12, G-16)', async () => {
    const [pilot, owner] = [await api.user(), await api.user()];
    const ofpId = await planOf(api, owner);
    const shown = async () =>
      at(await refresh(pilot.token), 'user', 'userStatisticsSinceLastLogin', 'newShares');
    const share = async (more: Record<string, unknown> = {}) => {
      const data = { ofpId, sharedWithEmail: pilot.email, ...more };
      return (await api.call('ofpShare', { token: owner.token, data })).body['share'] as Record<
        string,
        unknown
      >;
    };
    api.context.clock.advance(60);
    const { id } = await share();
    await share({ expiresInDays: 1 });
    const { shareCode } = await share({ sharedWithEmail: null });
    expect(await shown()).toBe(0);
    await verifyAddress(api, pilot);
    expect(await shown()).toBe(2);
    await api.call('ofpShareAccept', { token: pilot.token, data: { shareCode } });
    expect(await shown()).toBe(3);
    await api.call('ofpShareRevoke', { token: pilot.token, data: { id } });
    expect(await shown()).toBe(2);
    // By then the token has expired, too.
    api.context.clock.advance(86_400);
    const devKey = await api.key();
    const login = await api.call('login', { devKey, data: { email: pilot.email, password: pilot.password } });
    expect(at(login, 'user', 'userStatisticsSinceLastLogin', 'newShares')).toBe(1);
    api.context.clock.advance(-86_460);
  });

  test('A missing or modified token, an ended generation and a disabled account are refused (M-5.1, G-03)', async () => {
    expect(refusal(await api.call('refreshUserData'))).toEqual([401, 'AUTH_REQUIRED']);
    expect(refusal(await refresh(`${user.token}x`))).toEqual([401, 'AUTH_REQUIRED']);
    const pilot = await api.user();
    expect((await refresh(pilot.token)).status).toBe(200);
    await runSql(api.context.postgres)`UPDATE app_user SET disabled_at = now() WHERE id = ${pilot.id}`;
    expect(refusal(await refresh(pilot.token))).toEqual([403, 'ACCOUNT_DISABLED']);
    await runSql(api.context.postgres)`
      UPDATE app_user SET disabled_at = NULL, token_generation = token_generation + 1 WHERE id = ${pilot.id}`;
    expect(refusal(await refresh(pilot.token))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
