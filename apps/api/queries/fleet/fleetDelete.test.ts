import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { dataOf, filesAndRows, fleetCalls } from '#test/support/fleet.ts';
import type { FleetCalls } from '#test/support/fleet.ts';
import { until } from '#test/support/until.ts';
import fileDelete from '#workers/jobs/file-delete.ts';

let api: TestApi;
let fleet: FleetCalls;
let user: TestUser;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  api = await testApi();
  fleet = fleetCalls(api);
  user = await api.user();
  const worker = await api.context.queues.createConsumer();
  await worker.consume('durable', [fileDelete.bind(api.context)], 2);
  stopWorker = () => worker.stop(5_000);
});
afterAll(async () => {
  await stopWorker();
  await api.close();
});

const data = { weight: { mslw: 64_000 } };
const standard = 'A320-214';

/** Waits until the store has exactly the files of the rows. */
const onlyFilesOfRows = () =>
  until('every file has a row', async () => {
    const { files, rows } = await filesAndRows(api.context);
    return JSON.stringify(files) === JSON.stringify(rows);
  });

describe('fleetDelete', () => {
  test('The profile and its file are deleted, and the standard aircraft applies again (M-2.4.2b, M-2.4.2c, M-2.4.s7, M-4.3.q4)', async () => {
    dataOf(await fleet.save(user, 'GONE', standard, data));
    const file = `User_${user.id}_GONE.json`;
    expect(at(await fleet.aircraft(user, file, 'GONE'), 'aircraft', 'weight', 'mslw')).toBe(64_000);
    expect(dataOf(await fleet.remove(user, 'gone'))).toEqual({ registration: 'GONE', deleted: true });
    expect(refusal(await fleet.get(user, 'GONE'))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await fleet.remove(user, 'GONE'))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await fleet.remove(user, '../x'))).toEqual([400, 'INVALID_REGISTRATION']);
    expect(refusal(await fleet.aircraft(user, file, 'GONE'))).toEqual([404, 'AIRCRAFT_NOT_FOUND']);
    expect(refusal(await fleet.aircraft(user, standard, 'GONE'))).toEqual([404, 'AIRCRAFT_NOT_FOUND']);
    expect(at(await fleet.aircraft(user, standard), 'aircraft', 'weight', 'mslw')).not.toBe(64_000);
    await onlyFilesOfRows();
  });

  test('A profile with derived profiles remains, and the answer names them', async () => {
    dataOf(await fleet.save(user, 'ROOT', standard, data));
    for (const registration of ['HEIR-2', 'HEIR-1'])
      dataOf(await fleet.save(user, registration, 'ROOT', data));
    dataOf(await fleet.save(user, 'GRANDCHILD', 'HEIR-1', data));
    const refused = await fleet.remove(user, 'ROOT');
    expect(refusal(refused)).toEqual([409, 'PROFILE_IN_USE']);
    expect(refused.body['dependents']).toEqual(['HEIR-1', 'HEIR-2']);
    expect(at(refused, 'error', 'message')).toMatch(/ROOT is the base of HEIR-1, HEIR-2/);
    dataOf(await fleet.save(user, 'HEIR-1', standard, data));
    dataOf(await fleet.remove(user, 'HEIR-2'));
    dataOf(await fleet.remove(user, 'ROOT'));
    expect(await fleet.row(user, 'GRANDCHILD')).toMatchObject({ basedOnProfile: 'HEIR-1' });
  });

  test('A replaced file is deleted, and so are all files of a deleted account', async () => {
    const leaving = await api.user();
    for (const kg of [64_000, 64_100, 64_200])
      dataOf(await fleet.save(leaving, 'LEAVING', standard, { weight: { mslw: kg } }));
    dataOf(await fleet.save(leaving, 'CHILD', 'LEAVING', data));
    await onlyFilesOfRows();
    const exported = await api.call('exportMyData', { token: leaving.token });
    expect(at(exported, 'records', 'fleet_profile', 0)).toMatchObject({ registration: 'LEAVING' });
    const asked = await api.call('deleteAccount', {
      token: leaving.token,
      data: { password: leaving.password },
    });
    const confirmed = await api.call('deleteAccount', {
      token: leaving.token,
      data: { confirmationToken: at(asked, 'confirmationToken') },
    });
    expect(confirmed.status, JSON.stringify([asked.body, confirmed.body])).toBe(200);
    await onlyFilesOfRows();
    const rows = await api.context.postgres.db.any(
      sql`SELECT 1 FROM fleet_profile WHERE user_id = ${leaving.id}`,
    );
    expect(rows).toEqual([]);
  });
});
