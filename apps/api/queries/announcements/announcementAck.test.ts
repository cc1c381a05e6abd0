import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';

let api: TestApi;
let pilot: TestUser;
let ids: number[];
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

/** An announcement published this many seconds ago. */
const published = async (secondsAgo: number): Promise<number> => {
  const { postgres, clock } = api.context;
  const publishedAt = new Date(clock.now().getTime() - secondsAgo * 1000);
  const { id } = await insertBySql<{ id: number }>(postgres)`
    INSERT INTO announcement (title, body, body_format, published_at, created_at)
    VALUES ('T', 'B', 'plain', ${publishedAt}, ${publishedAt}) RETURNING id`;
  return id;
};

beforeEach(async () => {
  await runSql(api.context.postgres)`DELETE FROM announcement_ack`;
  await runSql(api.context.postgres)`DELETE FROM announcement`;
  pilot = await api.user();
  ids = [await published(500), await published(400), await published(300)];
});

const ack = (id: unknown, { token } = pilot) => api.call('announcementAck', { token, data: { id } });
const seen = async ({ token } = pilot) =>
  at(await api.call('announcementsLatest', { token }), 'announcement', 'seen');

describe('announcementAck', () => {
  test('The latest announcement is marked as seen for this user on every device, and for no other user (M-2.12.a16, M-2.12.a17)', async () => {
    const other = await api.user();
    const devKey = await api.key();
    const { email, password } = pilot;
    const { body: second } = await api.call('login', { devKey, data: { email, password } });
    expect(await seen()).toBe(false);
    const { status, body } = await ack(ids[2]);
    expect([status, body]).toEqual([200, { success: true, apiVersion: '1.3.6' }]);
    expect(await seen()).toBe(true);
    expect(await seen({ ...pilot, token: String(second['token']) })).toBe(true);
    expect(await seen(other)).toBe(false);
  });

  test('An older id has no effect, since the highest is kept (M-4.7.q9)', async () => {
    await ack(ids[2]);
    expect((await ack(ids[0])).status).toBe(200);
    expect(await seen()).toBe(true);
  });

  test('Acknowledging an older announcement leaves the latest unseen, and a new one is unseen again (M-4.7.q9)', async () => {
    await ack(ids[1]);
    expect(await seen()).toBe(false);
    await ack(String(ids[2]));
    expect(await seen()).toBe(true);
    await published(10);
    expect(await seen()).toBe(false);
  });

  test('An id higher than any existing one does not acknowledge later announcements (M-4.7.q9)', async () => {
    expect((await ack(2_000_000_000)).status).toBe(200);
    expect(await seen()).toBe(true);
    await published(10);
    expect(await seen()).toBe(false);
  });

  test('An announcement with a lower id that is published later is unseen until it is acknowledged', async () => {
    const { clock } = api.context;
    const scheduled = await published(-3_600);
    const urgent = await published(0);
    await ack(scheduled);
    expect(await seen()).toBe(false);
    await ack(urgent);
    expect(await seen()).toBe(true);
    clock.advance(3_600);
    expect(await seen()).toBe(false);
    await ack(urgent);
    expect(await seen()).toBe(false);
    await ack(scheduled);
    expect(await seen()).toBe(true);
    clock.advance(-3_600);
  });

  test('Of 50 simultaneous acknowledgements in any order the highest is kept (M-4.7.q9)', async () => {
    const many: number[] = [];
    for (let i = 0; i < 50; i += 1) many.push(await published(200 - i));
    const mixed = many.map((_, i) => many[(i * 37) % 50]);
    const answers = await Promise.all(mixed.map((id) => ack(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await seen()).toBe(true);
  });

  test('Without any announcement an acknowledgement has no effect', async () => {
    await runSql(api.context.postgres)`DELETE FROM announcement`;
    expect((await ack(5)).status).toBe(200);
    const id = await published(0);
    expect(id).toBeGreaterThan(5);
    expect(await seen()).toBe(false);
  });

  test.each([
    [undefined, 'MISSING_FIELD'],
    [null, 'MISSING_FIELD'],
    ['abc', 'INVALID_ID'],
    [0, 'INVALID_ID'],
    [-1, 'INVALID_ID'],
    [1.5, 'INVALID_ID'],
    [3_000_000_000, 'INVALID_ID'],
    [[1], 'INVALID_ID'],
  ])('An id of %j is refused (M-4.7.q9, G-25)', async (id, code) => {
    expect(refusal(await ack(id))).toEqual([400, code]);
  });

  test('A call without a token is refused (M-5.3)', async () => {
    expect(refusal(await api.call('announcementAck', { data: { id: 1 } }))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
