import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSealed } from '#store/auth/secrets.ts';
import { sql } from '#store/postgres/sql.ts';
import { vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { loggedCall } from '#test/support/request-log.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
});
beforeEach(async () => {
  user = await api.user();
});
afterAll(() => api.close());

const update = (data: unknown, options: { devKey?: string; headers?: Record<string, string> } = {}) =>
  api.call('updateProfile', { token: user.token, data, ...options });
const shown = async () => at(await api.call('refreshUserData', { token: user.token }), 'user');
const row = async () => {
  const {
    pinSealed: sealed,
    revision: _,
    ...others
  } = await api.context.postgres.db.one<{ pinSealed: Buffer | null; revision: number }>(
    sql`SELECT * FROM app_user WHERE id = ${user.id}`,
  );
  return { ...others, pin: openSealed(sealed, 'PIN seal', api.context.config.ENCRYPTION_KEYS) };
};

let airlines = 0;
const airline = async (isMember: boolean): Promise<number> => {
  airlines += 1;
  const { id } = await insertBySql<{ id: number }>(api.context.postgres)`
    INSERT INTO virtual_airline (name, legacy_name) VALUES (${`Air ${airlines}`}, ${`AIR${airlines}`}) RETURNING id`;
  if (isMember)
    await runSql(api.context.postgres)`INSERT INTO va_member (user_id, va_id) VALUES (${user.id}, ${id})`;
  return id;
};

describe('updateProfile', () => {
  test('Every field is written, named and returned in this answer and the next (M-4.6.q7j, M-2.7.u1, M-2.7.u2, M-2.7.u3, M-2.7.u4, M-2.7.u5)', async () => {
    const id = await airline(true);
    const data = {
      firstname: 'Zoë',
      lastname: 'Østergård',
      rank: 'JFO',
      crewcode: 'ZOE1',
      chatID: 'zoe#1234',
      pin: '947116',
      streamingActive: 1,
      streamingAlias: 'ZoeFlies ✈',
      activeVaId: id,
    };
    const answer = await update(data);
    expect(answer.status).toBe(200);
    expect(at(answer, 'updated')).toEqual(Object.keys(data));
    const { pin: _, activeVaId: __, streamingActive: ___, ...visible } = data;
    expect(at(answer, 'user')).toMatchObject({
      ...visible,
      email: user.email,
      streamingActive: true,
      activeVa: { id },
      virtual_airline: `AIR${airlines}`,
    });
    expect(at(answer, 'user')).toEqual(await shown());
    expect(answer.body).not.toHaveProperty('units');
    expect(JSON.stringify(answer.body)).not.toContain(data.pin);
    expect(await row()).toMatchObject({ pin: data.pin });
    // Without the request id and the duration, whose digits are random.
    const { requestId: ____, durationMs: _____, ...logged } = await loggedCall(api, answer);
    expect(JSON.stringify(logged)).not.toContain(data.pin);
  });

  test('Only the given fields change, and the answer names them (M-4.6.q7j)', async () => {
    await update({ chatID: 'kept', streamingAlias: 'kept', pin: '1234', streamingActive: true });
    const before = await row();
    for (const [data, column] of [
      [{ firstname: 'Only' }, { firstname: 'Only' }],
      [{ streamingActive: 0 }, { streamingActive: false }],
      [{ chatID: null }, { chatId: null }],
      [{ pin: 567890 }, { pin: '567890' }],
    ] as const) {
      const answer = await update(data);
      expect([answer.status, at(answer, 'updated')]).toEqual([200, Object.keys(data)]);
      Object.assign(before, column);
      expect(await row()).toEqual(before);
    }
    expect(at(await update({}), 'updated')).toEqual([]);
    expect(await row()).toEqual(before);
  });

  const refusedFields: [string, unknown, string][] = [
    ['firstname', 'x'.repeat(51), 'INVALID_FIELD'],
    ['firstname', '', 'MISSING_FIELD'],
    ['lastname', '✈'.repeat(51), 'INVALID_FIELD'],
    ['lastname', 'http://evil.example', 'INVALID_FIELD'],
    ['rank', 'CPT', 'INVALID_RANK'],
    ['crewcode', 'x'.repeat(21), 'INVALID_FIELD'],
    ['crewcode', ' ', 'MISSING_FIELD'],
    ['chatID', 'x'.repeat(51), 'INVALID_FIELD'],
    ['pin', '123', 'INVALID_FIELD'],
    ['pin', '1234567', 'INVALID_FIELD'],
    ['pin', '12a4', 'INVALID_FIELD'],
    ['streamingActive', 2, 'INVALID_FIELD'],
    ['streamingActive', 'yes', 'INVALID_FIELD'],
    ['streamingAlias', 'x'.repeat(51), 'INVALID_FIELD'],
    ['activeVaId', 'x', 'INVALID_FIELD'],
    ['activeVaId', 0, 'INVALID_FIELD'],
  ];

  test.each(refusedFields)(
    '%s = %j is %s, and nothing is written (M-4.6.q7a, M-4.6.q7b, M-4.6.q7c, M-4.6.q7d, M-4.6.q7e, M-4.6.q7f, M-4.6.q7g, M-4.6.q7h, M-4.6.q7i)',
    async (field, value, code) => {
      const before = await row();
      const answer = await update({ firstname: 'New', lastname: 'New', [field]: value });
      expect(refusal(answer)).toEqual([400, code]);
      expect(at(answer, 'error', 'message')).toContain(field);
      expect(await row()).toEqual(before);
    },
  );

  test('The longest values are accepted, counted in characters (M-8.12)', async () => {
    const fifty = '😀'.repeat(50);
    const data = {
      firstname: fifty,
      lastname: fifty,
      chatID: fifty,
      streamingAlias: fifty,
      crewcode: '😀'.repeat(20),
    };
    expect(await update(data)).toMatchObject({ status: 200, body: { user: data } });
  });

  test('The active airline must be a membership, and null clears it (M-4.6.q7i)', async () => {
    const [own, foreign] = [await airline(true), await airline(false)];
    expect(refusal(await update({ firstname: 'New', activeVaId: foreign }))).toEqual([403, 'NOT_VA_MEMBER']);
    expect(refusal(await update({ activeVaId: 2_000_000_000 }))).toEqual([403, 'NOT_VA_MEMBER']);
    expect(await row()).toMatchObject({ firstname: 'Test', activeVaId: null });
    expect(at(await update({ activeVaId: own }), 'user', 'vaMemberships', 0)).toMatchObject({
      id: own,
      isActive: true,
    });
    expect(at(await update({ firstname: 'New' }), 'user', 'activeVa', 'id')).toBe(own);
    expect(at(await update({ activeVaId: null }), 'user')).toMatchObject({
      activeVa: null,
      virtual_airline: null,
    });
  });

  test('A membership that ends while its airline is being chosen leaves no active airline', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await airline(true);
      const [answer] = await Promise.all([
        update({ activeVaId: id }),
        api.context.postgres.transaction((tx) => vaWrites(tx).removeMember(id, user.id)),
      ]);
      expect([200, 403]).toContain(answer.status);
      expect(await row()).toMatchObject({ activeVaId: null });
    }
  });

  test('Simultaneous changes of different fields are all kept', async () => {
    const parts = [
      { firstname: 'A' },
      { lastname: 'B' },
      { rank: 'FO' },
      { crewcode: 'C' },
      { chatID: 'D' },
      { pin: '1234' },
    ];
    const answers = await Promise.all(parts.map((part) => update(part)));
    expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200));
    expect(await row()).toMatchObject({
      firstname: 'A',
      lastname: 'B',
      rank: 'FO',
      crewcode: 'C',
      chatId: 'D',
      pin: '1234',
    });
  });

  test('Unknown keys are reported, including fields that only others may change', async () => {
    const before = await row();
    const answer = await update({
      email: 'other@mail.example',
      apiKey: 'API-0000-0000-0000',
      id: 1,
      firstname: 'Test',
    });
    expect(at(answer, 'updated')).toEqual(['firstname']);
    expect(at(answer, 'ignored')).toEqual(
      ['email', 'apiKey', 'id'].map((name) =>
        expect.stringContaining(`${name} is not known and was ignored`),
      ),
    );
    expect(await row()).toEqual(before);
  });

  test('Any user_info level suffices and limits the returned user, and a key without it is refused (G-18, M-5.2a)', async () => {
    for (const userInfo of ['SIMPLE', 'MEDIUM', 'FULL'] as const) {
      const devKey = await api.key({ userInfo });
      const answer = await update({ firstname: userInfo }, { devKey });
      expect([answer.status, at(answer, 'user', 'firstname')]).toEqual([200, userInfo]);
      expect(at(answer, 'user', 'email') !== undefined).toBe(userInfo !== 'SIMPLE');
      expect(at(answer, 'user', 'apiKey') !== undefined).toBe(userInfo === 'FULL');
    }
    const devKey = await api.key({ weather: true });
    expect(refusal(await update({ firstname: 'New' }, { devKey }))).toEqual([403, 'ACCESS_DENIED']);
    expect(refusal(await update({ firstname: 'New' }, { devKey: 'dk_wrong' }))).toEqual([
      401,
      'INVALID_DEV_KEY',
    ]);
    expect(refusal(await api.call('updateProfile', { data: { firstname: 'New' } }))).toEqual([
      401,
      'AUTH_REQUIRED',
    ]);
    expect(await row()).toMatchObject({ firstname: 'FULL' });
  });
});
