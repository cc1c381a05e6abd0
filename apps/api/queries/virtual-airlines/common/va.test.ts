import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { airlineToChange } from '#commands/virtual-airlines.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { vaRepo, vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { ops as opsOf } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { airlineToRead } from './va.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  for (const name of ['Alpha Air', 'Beta Air', 'Gamma Air']) await ops('va create --name', name);
});
afterAll(() => api.close());

const ops = (line: string, ...more: string[]) => opsOf(api.context, line, ...more);

/** An account with these roles and memberships. */
const person = async (memberOf: string[], scope?: 'VA_ONLY' | 'FULL', va?: string) => {
  const { id, email } = await api.user();
  for (const name of memberOf) await ops(`va member add --email ${email} --va`, name);
  if (scope) await ops(`va admin add --email ${email} --scope ${scope}`, ...(va ? ['--va', va] : []));
  return { id, email };
};

const outcome = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe('airlineToChange', () => {
  const change = (userId: number, vaName?: string | null) =>
    outcome(
      api.context.postgres.transaction(
        async (tx) => (await airlineToChange(tx, {}, { userId, vaName })).name,
      ),
    );

  test('An admin of one airline may change it, an admin of all airlines the named one, and nobody else any (M-2.4.3a, M-2.4.3b, M-2.4.3c, M-2.4.3d, M-2.4.3e, A-28)', async () => {
    const own = await person([], 'VA_ONLY', 'Alpha Air');
    const full = await person([], 'FULL');
    const member = await person(['Alpha Air']);
    expect(await change(own.id)).toBe('Alpha Air');
    expect(await change(own.id, ' alpha AIR ')).toBe('Alpha Air');
    for (const other of ['Beta Air', 'No such airline'])
      expect(await change(own.id, other)).toBe('FORBIDDEN');
    expect(await change(full.id, 'beta air')).toBe('Beta Air');
    expect(await change(full.id)).toBe('MISSING_VA_NAME');
    expect(await change(full.id, 'No such airline')).toBe('NOT_FOUND');
    for (const name of [undefined, 'Alpha Air']) expect(await change(member.id, name)).toBe('FORBIDDEN');
  });

  test('A suspended admin is refused until the role is active again (M-2.4.3g)', async () => {
    const { id, email } = await person([], 'VA_ONLY', 'Alpha Air');
    const suspended = await ops(`va admin deactivate --email ${email} --json`);
    expect(suspended.json).toMatchObject({ ok: true, email });
    expect(await change(id)).toBe('FORBIDDEN');
    const { json } = await ops('va admin list --json');
    expect(json['admins']).toContainEqual({ email, scope: 'VA_ONLY', va: 'Alpha Air', isActive: false });
    expect((await ops(`va admin activate --email ${email}`)).status).toBe(0);
    expect(await change(id)).toBe('Alpha Air');
    const none = await person([]);
    for (const verb of ['deactivate', 'activate']) {
      const refused = await ops(`va admin ${verb} --email ${none.email} --json`);
      expect([refused.status, refused.json['error']]).toMatchObject([1, { code: 'NOT_AN_ADMIN' }]);
    }
  });

  test('An admin whose airline is gone is refused with NO_VA_ASSIGNED (M-2.4.3f)', async () => {
    const { id } = await person([], 'VA_ONLY', 'Gamma Air');
    await runSql(api.context.postgres)`UPDATE va_admin SET va_id = NULL WHERE user_id = ${id}`;
    for (const name of [undefined, 'Gamma Air']) expect(await change(id, name)).toBe('NO_VA_ASSIGNED');
  });

  test('A suspension waits for changes already begun by the admin', async () => {
    const { id } = await person([], 'VA_ONLY', 'Alpha Air');
    const order: string[] = [];
    let suspension = Promise.resolve();
    await api.context.postgres.transaction(async (tx) => {
      await airlineToChange(tx, {}, { userId: id });
      suspension = api.context.postgres.transaction(async (other) => {
        await vaWrites(other).setAdminActive(id, false);
        order.push('suspended');
      });
      await until('the suspension waits', async () =>
        api.context.postgres.db.maybe(sql`
          SELECT 1 AS found FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`),
      );
      order.push('changed');
    });
    await suspension;
    expect(order).toEqual(['changed', 'suspended']);
  });
});

describe('airlineToRead', () => {
  const read = async ({ id }: { id: number }, vaName?: string) => {
    const { db } = api.context.postgres;
    const reader = await identityRepo(db).byUserId(id);
    if (!reader) throw new Error(`no user ${id}`);
    const found = await outcome(airlineToRead(db, reader, vaName));
    return (await vaRepo(db).list('', 1_000)).find((va) => va.id === found)?.name ?? found;
  };

  test('The airline is the named one, the active one, or a member’s only one (M-2.2.3b)', async () => {
    const one = await person(['Alpha Air']);
    const two = await person(['Alpha Air', 'Beta Air']);
    expect(await read(one)).toBe('Alpha Air');
    expect(await read(one, 'ALPHA air')).toBe('Alpha Air');
    for (const foreign of ['Beta Air', 'No such airline']) expect(await read(one, foreign)).toBe('FORBIDDEN');
    expect(await read(two)).toBe('MISSING_VA_NAME');
    await runSql(api.context.postgres)`
      UPDATE app_user SET active_va_id = (SELECT id FROM virtual_airline WHERE name = 'Beta Air') WHERE id = ${two.id}`;
    expect(await read(two)).toBe('Beta Air');
    expect(await read(two, 'alpha air')).toBe('Alpha Air');
    expect(await read(await person([]))).toBe('FORBIDDEN');
  });

  test('An admin of all airlines may read any named one', async () => {
    const full = await person([], 'FULL');
    expect(await read(full, 'gamma air')).toBe('Gamma Air');
    expect(await read(full)).toBe('MISSING_VA_NAME');
  });
});
