import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownedTables } from '#store/postgres/users/personal-data.ts';
import { sql } from '#store/postgres/sql.ts';
import type { TestUser } from '#test/api.ts';
import { airline } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { inflightLanding, insertLanding } from '#test/support/landing.ts';
import { ops } from '#test/support/ops.ts';
import { planOf } from '#test/support/plans.ts';
import { pictureApi, plain } from '#test/support/pictures.ts';
import type { PictureApi } from '#test/support/pictures.ts';
import { verifyAddress } from '#test/support/mailed-links.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import sweepExpired from '#workers/jobs/sweep-expired.ts';
import { runOnce } from '#test/support/run-once.ts';

let pictures: PictureApi;
let user: TestUser;
beforeAll(async () => {
  pictures = await pictureApi();
});
beforeEach(async () => {
  user = await pictures.api.user();
});
afterAll(() => pictures.close());

const remove = (data: unknown, token = user.token) => pictures.api.call('deleteAccount', { token, data });
const postgres = () => pictures.api.context.postgres;
const confirmation = async (of = user): Promise<string> => {
  const answer = await remove({ password: of.password }, of.token);
  expect([answer.status, at(answer, 'deleted')]).toEqual([200, false]);
  return String(at(answer, 'confirmationToken'));
};
const exists = async (id = user.id) =>
  (await postgres().db.any(sql`SELECT 1 FROM app_user WHERE id = ${id}`)).length === 1;

describe('deleteAccount', () => {
  test('The password yields a token, and the token deletes the account (G-41)', async () => {
    const token = await confirmation();
    expect(await exists()).toBe(true);
    const answer = await remove({ confirmationToken: token });
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, apiVersion: '1.3.6', deleted: true },
    ]);
    expect(await exists()).toBe(false);
    expect(refusal(await pictures.api.call('refreshUserData', { token: user.token }))).toEqual([
      401,
      'AUTH_REQUIRED',
    ]);
    const login = { email: user.email, password: user.password };
    const devKey = await pictures.api.key();
    expect(refusal(await pictures.api.call('login', { data: login, devKey }))).toEqual([
      401,
      'INVALID_CREDENTIALS',
    ]);
    const again = { ...login, firstname: 'A', lastname: 'B' };
    expect((await pictures.api.call('register', { data: again, devKey })).status).toBe(200);
  });

  test('A password together with the token is refused, and nothing is deleted', async () => {
    const both = { password: user.password, confirmationToken: await confirmation() };
    const answer = await remove(both);
    expect(refusal(answer)).toEqual([400, 'INVALID_FIELD']);
    expect(JSON.stringify(answer.body)).toContain('cannot be sent together with a password');
    expect(await exists()).toBe(true);
  });

  test('Rows, mails and files are deleted, and payments keep their amounts without personal data (G-41)', async () => {
    const { api } = pictures;
    const now = api.context.clock.now();
    const other = await api.user();
    const { id: va } = await insertBySql<{ id: number }>(postgres())`
      INSERT INTO virtual_airline (name) VALUES (${user.email}) RETURNING id`;
    for (const { id, email } of [user, other]) {
      const { publicId } = await postgres().transaction((tx) => insertLanding(tx, id, now, inflightLanding));
      const key = `graphics/${publicId}/factored.png`;
      await api.context.storage.put(key, Buffer.from('picture'), 'image/png');
      await runSql(postgres())`
        INSERT INTO graphic (calculation_id, name, format, asks, asked_at, path, etag, bytes, drawn_at)
        SELECT id, 'factored', 'png', 1, ${now}, ${key}, 'e', 7, ${now} FROM calculation WHERE public_id = ${publicId}`;
      await runSql(postgres())`INSERT INTO va_member (user_id, va_id) VALUES (${id}, ${va})`;
      await runSql(postgres())`
        INSERT INTO subscription (user_id, product_code, gateway, reference, gateway_status, price_paid_minor, starts_at, ends_at)
        VALUES (${id}, 'EFB_LITE_M', 'paypal', ${`ref-${id}`}, 'Cancelled', 299, ${now}, ${now})`;
      await runSql(postgres())`
        INSERT INTO outgoing_mail (key, recipient, subject, body_text, created_at)
        VALUES (${`m${id}`}, ${email.toUpperCase()}, 's', 't', ${now})`;
      await runSql(postgres())`
        INSERT INTO password_reset_request (email, requested_at) VALUES (${email}, ${now})`;
    }
    const file = await plain(30, 30).png().toBuffer();
    const urls = [];
    for (const slot of ['profile', 'alias'])
      urls.push((await pictures.upload('uploadPicture', user.token, file, { slot })).url);
    const kept = await pictures.upload('uploadPicture', other.token, file, { slot: 'profile' });
    const paths = await postgres().db.any<{ userId: number; path: string }>(sql`
      SELECT c.user_id, g.path FROM graphic g JOIN calculation c ON c.id = g.calculation_id
      WHERE c.user_id IN (${user.id}, ${other.id})`);
    const isStored = (id: number) =>
      paths
        .filter(({ userId }) => userId === id)
        .map(({ path }) => existsSync(join(api.context.config.DATA_DIR, 'files', path)));
    expect(isStored(user.id)).toEqual([true]);

    expect((await remove({ confirmationToken: await confirmation() })).status).toBe(200);
    const rowsOf = (id: number, email: string) =>
      postgres().db.one<{ rows: number; mails: number; requests: number }>(sql`
        SELECT (SELECT count(*) FROM va_member WHERE user_id = ${id}) +
            (SELECT count(*) FROM calculation WHERE user_id = ${id}) +
            (SELECT count(*) FROM subscription WHERE user_id = ${id}) AS rows,
          (SELECT count(*) FROM outgoing_mail WHERE lower(recipient) = lower(${email})) AS mails,
          (SELECT count(*) FROM password_reset_request WHERE email = ${email}) AS requests`);
    expect(await rowsOf(user.id, user.email)).toEqual({ rows: 0, mails: 1, requests: 0 });
    const sent = await postgres().db.any<{ subject: string }>(
      sql`SELECT subject FROM outgoing_mail WHERE recipient = ${user.email}`,
    );
    expect(sent).toEqual([{ subject: 'Your account was deleted' }]);
    await runSql(postgres())`UPDATE outgoing_mail SET sent_at = ${now} WHERE recipient = ${user.email}`;
    await runOnce(sweepExpired, api.context, { slot: now.toISOString() });
    expect(await rowsOf(user.id, user.email)).toEqual({ rows: 0, mails: 0, requests: 0 });
    expect(await rowsOf(other.id, other.email)).toEqual({ rows: 3, mails: 2, requests: 1 });
    expect(
      await postgres().db.any(sql`
      SELECT product_code, gateway, reference, price_paid::float8 AS price FROM retained_payment`),
    ).toEqual([{ productCode: 'EFB_LITE_M', gateway: 'paypal', reference: `ref-${user.id}`, price: 2.99 }]);
    for (const url of urls)
      await until('the picture is deleted', async () => (await pictures.fetched(url)).status === 404);
    await until('the drawing is deleted', () => Promise.resolve(isStored(user.id)[0] === false));
    expect((await pictures.fetched(kept.url)).status).toBe(200);
    expect(isStored(other.id)).toEqual([true]);
  });

  test('Every table that refers to users deletes a deleted user’s rows, or clears the reference in rows of others (G-41)', async () => {
    const constraints = await postgres().db.any<{ name: string; key: string; action: string }>(sql`
      SELECT conrelid::regclass::text AS name, conname AS key, confdeltype::text AS action FROM pg_constraint
      WHERE contype = 'f' AND confrelid = 'app_user'::regclass`);
    const others = constraints.filter(({ action, name }) => action !== 'c' || !ownedTables.includes(name));
    expect(others.map(({ key, action }) => `${key} ${action}`).toSorted()).toEqual([
      // An application still works without its owner.
      'developer_key_owner_id_fkey n',
      'flight_data_change_changed_by_fkey n',
      'flight_data_created_by_fkey n',
      'flight_data_updated_by_fkey n',
    ]);
  });

  test('In other users’ plans a deleted account becomes the number 0, as creator and editor and in the history (G-41)', async () => {
    const { api } = pictures;
    const [leaving, staying] = [await api.user(), await api.user()];
    const ofpId = await planOf(api, staying);
    const data = { ofpId, permission: 'edit', sharedWithEmail: leaving.email };
    const issued = await api.call('ofpShare', { token: staying.token, data });
    const shareToken = at(issued, 'share', 'shareToken');
    const accepted = await api.call('ofpShareAccept', { token: leaving.token, data: { shareToken } });
    const save = await api.call('flightDataSave', { token: leaving.token, data: { ofpId, payload: {} } });
    expect([accepted.status, save.status]).toEqual([200, 200]);
    expect(at(save, 'data', 'updatedByUserId')).toBe(leaving.id);
    const confirmationToken = await confirmation(leaving);
    expect((await remove({ confirmationToken }, leaving.token)).status).toBe(200);
    const read = async (name: string) => {
      const { body } = await api.call(name, { token: staying.token, data: { ofpId } });
      return [...JSON.stringify(body).matchAll(/"((?:created|updated|changed)ByUserId)":(\d+)/g)].map(
        ([, , id]) => Number(id),
      );
    };
    expect(await Promise.all(['flightDataGet', 'flightDataList', 'flightDataHistory'].map(read))).toEqual([
      [0, 0],
      [0, 0],
      [0],
    ]);
  });

  test('Shares and flight data are deleted with their owner, and shares with the address are revoked and lose it (G-41, M-3.10)', async () => {
    const { api } = pictures;
    const [leaving, staying] = [await api.user(), await api.user()];
    await verifyAddress(api, leaving);
    const plans = [await planOf(api, leaving), await planOf(api, staying)];
    const invite = (from: TestUser, ofpId: string | undefined, sharedWithEmail: string) =>
      api.call('ofpShare', { token: from.token, data: { ofpId, sharedWithEmail } });
    await invite(leaving, plans[0], staying.email);
    const shared = await invite(staying, plans[1], leaving.email);
    const { id: accepted, shareToken } = shared.body['share'] as { id: number; shareToken: string };
    await api.call('ofpShareAccept', { token: leaving.token, data: { shareToken } });
    // Invited before the account existed.
    const { id } = (await invite(staying, plans[1], 'later@example.org')).body['share'] as { id: number };
    await runSql(postgres())`UPDATE ofp_share SET email = ${leaving.email.toUpperCase()} WHERE id = ${id}`;
    await api.call('flightDataSave', { token: leaving.token, data: { ofpId: plans[0], payload: {} } });
    const confirmationToken = await confirmation(leaving);
    expect((await remove({ confirmationToken }, leaving.token)).status).toBe(200);
    const shares = await postgres().db.any(sql`
      SELECT id FROM ofp_share WHERE ofp_id = ANY (${plans}) ORDER BY id`);
    expect(shares.map((share) => share['id'])).toEqual([accepted, id]);
    const { body } = await api.call('ofpShareList', { token: staying.token });
    const revoked = { status: 'revoked', sharedWithUserId: null, sharedWithEmail: null };
    expect(body['issued']).toMatchObject([
      { id, acceptedAt: null, ...revoked },
      { id: accepted, acceptedAt: expect.any(String), ...revoked },
    ]);
    const rows = await postgres().db.any(sql`SELECT id FROM flight_data WHERE ofp_id = ANY (${plans})`);
    expect(rows).toEqual([]);
  });

  test('Registering another person’s address and deleting the account does not end the invitations to that address', async () => {
    const { api } = pictures;
    const [thief, owner] = [await api.user(), await api.user()];
    const data = { ofpId: await planOf(api, owner), sharedWithEmail: thief.email };
    const { body } = await api.call('ofpShare', { token: owner.token, data });
    const confirmationToken = await confirmation(thief);
    expect((await remove({ confirmationToken }, thief.token)).status).toBe(200);
    const { body: list } = await api.call('ofpShareList', { token: owner.token, data: {} });
    expect(list['issued']).toEqual([body['share']]);
  });

  test('An account registered again with the same address keeps its used allowance, however often it is deleted (G-33)', async () => {
    const { api } = pictures;
    const start = api.context.clock.now();
    const devKey = await api.key();
    const { email, password } = user;
    const leaveAndReturn = async () => {
      const confirmationToken = await confirmation();
      expect((await remove({ confirmationToken })).status).toBe(200);
      const data = { email: email.toUpperCase(), password, firstname: 'A', lastname: 'B' };
      const answer = await api.call('register', { data, devKey });
      expect(answer.status).toBe(200);
      user = { ...user, id: Number(at(answer, 'user', 'id')), token: String(at(answer, 'token')) };
    };
    const used = async () =>
      at(await api.call('userStatistics', { token: user.token }), 'allowance30d', 'used');
    const calculate = () =>
      postgres().transaction((tx) => insertLanding(tx, user.id, api.context.clock.now(), inflightLanding));
    await calculate();
    await calculate();
    expect(await used()).toBe(2);
    await leaveAndReturn();
    expect(await used()).toBe(2);
    const kept = await postgres().db.any(sql`SELECT * FROM former_usage`);
    expect(JSON.stringify(kept)).not.toContain('example.org');
    expect(at(await api.call('exportMyData', { token: user.token }), 'records', 'former_usage')).toEqual([
      { used_at: expect.any(String), calculations: 2 },
    ]);
    const later = async (days: number) => {
      api.context.clock.advance(days * 86_400);
      const answer = await api.call('login', { data: { email, password }, devKey });
      user = { ...user, token: String(at(answer, 'token')) };
    };
    await later(20);
    await calculate();
    await leaveAndReturn();
    expect(await used()).toBe(3);
    await later(10);
    expect(await used()).toBe(1);
    api.context.clock.set(start);
  });

  test('The only admin of an airline is warned that the airline will have none', async () => {
    const { api } = pictures;
    const { admin, full } = await airline(api, 'Leaving Air');
    const warning = async ({ token, password }: TestUser) =>
      at(await remove({ password }, token), 'airlineWithoutAdmin');
    expect(await warning(admin)).toBe('Leaving Air');
    expect(await warning(full)).toBeNull();
    const { email } = await api.user();
    await ops(api.context, 'va admin add --scope VA_ONLY', '--va', 'Leaving Air', '--email', email);
    expect(await warning(admin)).toBeNull();
    await ops(api.context, `user disable --email ${email}`);
    expect(await warning(admin)).toBe('Leaving Air');
  });

  test('A wrong, foreign, used, replaced or expired token is refused', async () => {
    const { api } = pictures;
    const other = await api.user();
    const foreign = await confirmation(other);
    const replaced = await confirmation();
    const valid = await confirmation();
    for (const confirmationToken of ['x', foreign, replaced])
      expect(refusal(await remove({ confirmationToken }))).toEqual([400, 'INVALID_CONFIRMATION_TOKEN']);
    api.context.clock.advance(601);
    expect(refusal(await remove({ confirmationToken: valid }))).toEqual([400, 'INVALID_CONFIRMATION_TOKEN']);
    expect([await exists(), await exists(other.id)]).toEqual([true, true]);
    const stored = await postgres().db.any(sql`SELECT * FROM account_deletion`);
    expect(JSON.stringify(stored)).not.toContain(valid);
  });

  test('Without the password there is no token', async () => {
    expect(refusal(await remove({ password: 'not the password' }))).toEqual([403, 'INCORRECT_PASSWORD']);
    expect(refusal(await remove({}))).toEqual([400, 'MISSING_FIELD']);
    expect(refusal(await remove({ password: 7 }))).toEqual([400, 'INVALID_FIELD']);
    expect(await exists()).toBe(true);
  });

  test('A subscription that would be charged again must be cancelled first', async () => {
    const set = (autoRenew: boolean) => runSql(postgres())`
      UPDATE subscription SET gateway = 'paypal', auto_renew = ${autoRenew} WHERE user_id = ${user.id}`;
    await pictures.api.grant(user, 'EFB_LITE_M');
    await set(true);
    const token = await confirmation();
    expect(refusal(await remove({ confirmationToken: token }))).toEqual([409, 'SUBSCRIPTION_RUNNING']);
    expect(await exists()).toBe(true);
    await set(false);
    expect((await remove({ confirmationToken: token })).status).toBe(200);
  });

  test('Of simultaneous confirmations one deletes the account', async () => {
    const confirmationToken = await confirmation();
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove({ confirmationToken })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 400, 401]))).toBe(true);
    expect(await exists()).toBe(false);
  });

  test('A call requires a token and a key with FULL user_info (G-18, M-5.2a)', async () => {
    const { api } = pictures;
    expect(refusal(await api.call('deleteAccount'))).toEqual([401, 'AUTH_REQUIRED']);
    const call = (devKey: string) =>
      api.call('deleteAccount', { token: user.token, devKey, data: { password: user.password } });
    expect(refusal(await call(await api.key({ userInfo: 'SIMPLE' })))).toEqual([403, 'ACCESS_DENIED']);
    expect(refusal(await call('dk_wrong'))).toEqual([401, 'INVALID_DEV_KEY']);
  });
});
