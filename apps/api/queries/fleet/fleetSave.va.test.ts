/** Fleets of virtual airlines: who may change them, and who sees them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { adminWithoutAirline } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { dataOf, filesAndRows, fleetCalls } from '#test/support/fleet.ts';
import type { FleetCalls } from '#test/support/fleet.ts';
import { ops as opsOf } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';
import sweepExpired from '#workers/jobs/sweep-expired.ts';
import { runOnce } from '#test/support/run-once.ts';

let api: TestApi;
let fleet: FleetCalls;
let admin: TestUser;
let full: TestUser;
let member: TestUser;
let outsider: TestUser;

const ops = (line: string, ...more: string[]) => opsOf(api.context, line, ...more);
const isVA = { isVA: true };
const data = { weight: { mslw: 64_000 } };
const standard = 'A320-214';

beforeAll(async () => {
  api = await testApi();
  fleet = fleetCalls(api);
  [admin, full, member, outsider] = [await api.user(), await api.user(), await api.user(), await api.user()];
  for (const name of ['Alpha Air', 'Beta Air']) await ops('va create --name', name);
  await ops(`va admin add --email ${admin.email} --scope VA_ONLY --va`, 'Alpha Air');
  await ops(`va admin add --email ${full.email} --scope FULL`);
  await ops(`va member add --email ${member.email} --va`, 'Alpha Air');
});
afterAll(() => api.close());

describe('admin permission', () => {
  test('An admin of one airline saves there with or without naming it (M-2.4.3b, M-2.4.f3, A-28)', async () => {
    const saved = dataOf(await fleet.save(admin, 'd-va01', standard, data, isVA));
    expect(saved).toMatchObject({ registration: 'D-VA01', file: 'D-VA01.json', saved: true });
    dataOf(await fleet.save(admin, 'D-VA02', 'D-VA01', data, { ...isVA, vaName: ' ALPHA air ' }));
    expect(dataOf(await fleet.get(member, 'D-VA02', isVA))['fleetRow']).toMatchObject({
      user_id: null,
      basedOnProfile: 'D-VA01',
      isBasedOnUserProfile: true,
    });
  });

  test('Anyone else and other airlines’ admins get FORBIDDEN, and an admin of all airlines must name one (M-2.4.3a, M-2.4.3c, M-2.4.3d, M-2.4.3e, M-7.f5, M-7.f6)', async () => {
    const attempts = (who: TestUser, more: Record<string, unknown>) => [
      fleet.save(who, 'D-VA09', standard, data, more),
      fleet.remove(who, 'D-VA01', more),
    ];
    for (const [who, more, status, code] of [
      [member, isVA, 403, 'FORBIDDEN'],
      [outsider, { ...isVA, vaName: 'Alpha Air' }, 403, 'FORBIDDEN'],
      [admin, { ...isVA, vaName: 'Beta Air' }, 403, 'FORBIDDEN'],
      [full, isVA, 400, 'MISSING_VA_NAME'],
      [full, { ...isVA, vaName: 'No such' }, 404, 'NOT_FOUND'],
    ] as const)
      for (const attempt of attempts(who, more)) expect(refusal(await attempt)).toEqual([status, code]);
    dataOf(await fleet.save(full, 'D-VA03', standard, data, { ...isVA, vaName: 'beta air' }));
    expect(dataOf(await fleet.remove(full, 'D-VA03', { ...isVA, vaName: 'Beta Air' }))).toMatchObject({
      deleted: true,
    });
  });

  test('An admin without an airline gets NO_VA_ASSIGNED, a suspended one FORBIDDEN (M-2.4.3f, M-2.4.3g, M-7.f7)', async () => {
    const alone = await api.user();
    await ops(`va admin add --email ${alone.email} --scope VA_ONLY --va`, 'Beta Air');
    dataOf(await fleet.save(alone, 'D-VA04', standard, data, isVA));
    await ops(`va admin deactivate --email ${alone.email}`);
    expect(refusal(await fleet.save(alone, 'D-VA04', standard, data, isVA))).toEqual([403, 'FORBIDDEN']);
    await ops(`va admin activate --email ${alone.email}`);
    await runSql(api.context.postgres)`UPDATE va_admin SET va_id = NULL WHERE user_id = ${alone.id}`;
    for (const attempt of [
      fleet.save(alone, 'D-VA04', standard, data, isVA),
      fleet.remove(alone, 'D-VA04', isVA),
      fleet.get(await adminWithoutAirline(api), 'D-VA04', isVA),
    ])
      expect(refusal(await attempt)).toEqual([403, 'NO_VA_ASSIGNED']);
  });

  test('A member of two airlines must name the one to read', async () => {
    const both = await api.user();
    for (const name of ['Alpha Air', 'Beta Air']) await ops(`va member add --email ${both.email} --va`, name);
    expect(refusal(await fleet.get(both, 'D-VA01', isVA))).toEqual([400, 'MISSING_VA_NAME']);
    dataOf(await fleet.get(both, 'D-VA01', { ...isVA, vaName: 'Alpha Air' }));
  });

  test('One registration in two airlines and a user’s fleet makes three profiles with three files (A-06)', async () => {
    const weights = [64_000, 64_100, 64_200].map((mslw) => ({ weight: { mslw } }));
    const names = [
      { ...isVA, vaName: 'Alpha Air' },
      { ...isVA, vaName: 'Beta Air' },
    ];
    for (const [i, more] of names.entries())
      dataOf(await fleet.save(full, 'SAME', standard, weights[i], more));
    dataOf(await fleet.save(full, 'SAME', standard, weights[2]));
    for (const [i, more] of [...names, {}].entries())
      expect(dataOf(await fleet.get(full, 'SAME', more))['overrides']).toMatchObject(weights[i] ?? {});
    const { rows } = await filesAndRows(api.context);
    expect(
      rows.filter((key) => key.endsWith('_SAME.json')).map((key) => key.split('/').slice(0, 2).join('/')),
    ).toEqual(['fleet/airlines', 'fleet/airlines', 'fleet/users']);
  });
});

describe('airline members', () => {
  test('A member lists and loads the airline’s fleet, an outsider does not (M-2.4.m2, M-2.4.k2, M-2.8.5, M-2.4.l6, J-06)', async () => {
    const [row] = (await fleet.list(member)).vaFleet;
    expect(row).toMatchObject({
      registration: 'D-VA01',
      virtual_airline: 'Alpha Air',
      user_id: null,
      api_key: null,
      file: 'D-VA01.json',
    });
    const entries = async (who: TestUser) =>
      at(await api.call('allowedAircrafts', { token: who.token }), 'virtualAirlineFleet') as Record<
        string,
        unknown
      >[];
    expect((await entries(member))[0]).toMatchObject({
      profile: { userRegistration: 'D-VA01', virtualAirline: 'Alpha Air', file: 'D-VA01.json' },
    });
    const loaded = await fleet.aircraft(member, 'D-VA01.json', 'D-VA01', 'alpha air');
    expect(at(loaded, 'aircraft', 'weight', 'mslw')).toBe(64_000);
    expect(at(loaded, 'aircraft', 'profile', 'virtualAirline')).toBe('Alpha Air');
    for (const who of [admin, full])
      expect((await fleet.aircraft(who, 'D-VA01.json', 'D-VA01', 'Alpha Air')).status).toBe(200);

    const unknown = (who: TestUser) => fleet.aircraft(who, 'D-VA01.json', 'D-VA0', 'Alpha Air');
    expect((await unknown(member)).body['nearest']).toContain('D-VA01');
    expect((await unknown(outsider)).body).toMatchObject({ nearest: [], offered: [] });
    expect((await fleet.list(outsider)).vaFleet).toEqual([]);
    expect(await entries(outsider)).toEqual([]);
    expect(refusal(await fleet.aircraft(outsider, 'D-VA01.json', 'D-VA01', 'Alpha Air'))).toEqual([
      404,
      'AIRCRAFT_NOT_FOUND',
    ]);
    expect(refusal(await fleet.get(outsider, 'D-VA01', { ...isVA, vaName: 'Alpha Air' }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(refusal(await fleet.get(member, 'NONE', isVA))).toEqual([404, 'NOT_FOUND']);
  });

  test('A profile shared by an airline can be used by everyone, under the new name once the airline is renamed', async () => {
    dataOf(await fleet.save(admin, 'D-VA05', standard, data, { ...isVA, shareCommunity: true }));
    const load = (name: string) => fleet.aircraft(outsider, 'D-VA05.json', 'D-VA05', name);
    expect((await load('Alpha Air')).status).toBe(200);
    expect((await fleet.list(outsider)).communityFleet).toMatchObject([
      { virtual_airline: 'Alpha Air', api_key: null },
    ]);
    await ops('va update', '--va', 'Alpha Air', '--name', 'Alpha Airways');
    expect(refusal(await load('Alpha Air'))).toEqual([404, 'AIRCRAFT_NOT_FOUND']);
    expect(at(await load('Alpha Airways'), 'aircraft', 'profile', 'virtualAirline')).toBe('Alpha Airways');
    expect((await fleet.list(member)).vaFleet[0]).toMatchObject({ virtual_airline: 'Alpha Airways' });
  });

  test('A member loses access to the fleet when the membership ends', async () => {
    await ops(`va member remove --email ${member.email} --va`, 'Alpha Airways');
    expect((await fleet.list(member)).vaFleet).toEqual([]);
    expect(refusal(await fleet.aircraft(member, 'D-VA01.json', 'D-VA01', 'Alpha Airways'))).toEqual([
      404,
      'AIRCRAFT_NOT_FOUND',
    ]);
  });

  test('The files of an airline are swept, however it was deleted', async () => {
    dataOf(await fleet.save(admin, 'D-VA06', standard, data, isVA));
    await runSql(api.context.postgres)`DELETE FROM virtual_airline WHERE name LIKE 'Alpha%'`;
    await runOnce(sweepExpired, api.context, { slot: api.context.clock.now().toISOString() });
    const { files, rows } = await filesAndRows(api.context);
    expect(files.filter((key) => key.endsWith('_D-VA06.json'))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(rows));
  });
});
