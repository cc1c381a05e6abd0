import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announcementWrites } from '#store/postgres/announcements/announcements.ts';
import { announcementDraftSchema } from '#domain/announcements/announcement.ts';
import { addSeconds } from '#domain/time.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
});
afterAll(() => api.close());

const publish = (title: string, fromSeconds: number, toSeconds: number | null = null): Promise<number> => {
  const now = api.context.clock.now();
  const draft = announcementDraftSchema.parse({
    title,
    body: 'Text',
    publishedAt: addSeconds(now, fromSeconds),
    expiresAt: toSeconds === null ? null : addSeconds(now, toSeconds),
  });
  return api.context.postgres.transaction((tx) => announcementWrites(tx).insert(draft, now));
};

interface Page {
  count: number;
  hasMore: boolean;
  announcements: { id: string; title: string; seen: boolean }[];
}
const list = async (data: Record<string, unknown> = {}): Promise<Page> => {
  const { body } = await api.call('announcementsList', { token: pilot.token, data });
  return body as unknown as Page;
};

describe('announcementsList', () => {
  test('Published announcements that have not expired are listed page by page, the most recent first (G-40)', async () => {
    const seconds = [-500, -400, -400, -300];
    const ids: number[] = [];
    for (const [i, from] of seconds.entries()) ids.push(await publish(`News ${i}`, from));
    await publish('Expired', -200, -100);
    await publish('Scheduled', 100);
    const hidden = await publish('Hidden', -50);
    await api.context.postgres.transaction((tx) => announcementWrites(tx).setActive(hidden, false));
    await api.call('announcementAck', { token: pilot.token, data: { id: ids[1] } });
    const shown = ids.toReversed().map(String);

    const first = await list({ limit: 3 });
    const last = await list({ limit: 3, before: first.announcements.at(-1)?.id });
    expect([first.count, first.hasMore, last.count, last.hasMore]).toEqual([3, true, 1, false]);
    expect([...first.announcements, ...last.announcements].map(({ id }) => id)).toEqual(shown);
    expect((await list()).announcements.map(({ seen }) => seen)).toEqual([false, false, true, true]);
    expect(await list({ before: shown[3] })).toMatchObject({ count: 0, hasMore: false });
  });

  test('A cursor that is not an id is refused, and so is a call without a token', async () => {
    const { token } = pilot;
    expect(refusal(await api.call('announcementsList', { token, data: { before: 'x' } }))).toEqual([
      400,
      'INVALID_FIELD',
    ]);
    expect(refusal(await api.call('announcementsList'))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
