import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
});
afterAll(() => api.close());
beforeEach(async () => {
  await runSql(api.context.postgres)`DELETE FROM announcement_ack`;
  await runSql(api.context.postgres)`DELETE FROM announcement`;
});

const latest = ({ token } = pilot) => api.call('announcementsLatest', { token });
const title = async () => at(await latest(), 'announcement', 'title');
const publish = async (named: string, ...more: string[]): Promise<string> => {
  const { json, out } = await ops(
    api.context,
    'announcement publish --json',
    '--title',
    named,
    '--body',
    'Text',
    ...more,
  );
  expect(out).toContain('"ok":true');
  return String((json['announcement'] as { id: number }).id);
};
const later = (seconds: number) => new Date(api.context.clock.now().getTime() + seconds * 1000).toISOString();

describe('announcementsLatest', () => {
  test('The answer is null when there is no announcement (M-2.12.a15, M-4.7.q8)', async () => {
    const { status, body } = await latest();
    expect([status, body]).toEqual([200, { apiVersion: '1.3.6', announcement: null }]);
  });

  test('The whole announcement is returned as published by the operator (M-2.12.a1, M-2.12.a2, M-2.12.a3, M-2.12.a4, M-2.12.a5, M-2.12.a6, M-2.12.a7, M-2.12.a8, M-2.12.a9, M-2.12.a10, M-2.12.a11, M-2.12.a12, M-2.12.a13, G-05)', async () => {
    const gallery = [
      { url: 'https://efb.example/1.png', caption: 'First', altText: 'A runway' },
      { url: 'https://efb.example/2.png' },
    ];
    const links = [{ label: 'Read', url: 'https://efb.example/read' }];
    const id = await publish(
      'New winds',
      ...Object.entries({
        summary: 'Every 6 hours',
        'body-format': 'markdown',
        'content-label': 'Article',
        'content-url': 'https://efb.example/article',
        'cover-image-url': 'https://efb.example/cover.jpg',
        'gallery-images': JSON.stringify(gallery),
        'action-links': JSON.stringify(links),
        'expires-at': '2026-10-01T00:00:00Z',
      }).flatMap(([flag, value]) => [`--${flag}`, value]),
    );
    const { body } = await latest();
    expect(body).toEqual({
      apiVersion: '1.3.6',
      announcement: {
        id,
        title: 'New winds',
        summary: 'Every 6 hours',
        body: 'Text',
        bodyFormat: 'markdown',
        contentLabel: 'Article',
        contentUrl: 'https://efb.example/article',
        coverImageUrl: 'https://efb.example/cover.jpg',
        galleryImages: [gallery[0], { url: 'https://efb.example/2.png', caption: null, altText: null }],
        actionLinks: links,
        publishedAt: '2026-09-16 12:00:00',
        expiresAt: '2026-10-01 00:00:00',
        seen: false,
      },
    });
  });

  test('Fields omitted by the operator are null or empty (M-2.12.a12)', async () => {
    await publish('Short');
    const { body } = await latest();
    expect(body['announcement']).toMatchObject({
      summary: null,
      bodyFormat: 'markdown',
      contentLabel: null,
      contentUrl: null,
      coverImageUrl: null,
      galleryImages: [],
      actionLinks: [],
      expiresAt: null,
    });
  });

  test('The latest is the most recent that is active, published and not expired (M-2.12.a14)', async () => {
    const { clock } = api.context;
    await publish('Old');
    clock.advance(60);
    await publish('Valid');
    clock.advance(60);
    const inactive = await publish('Inactive');
    await publish('Expired', '--expires-at', later(60));
    // Published in an hour, although its id is lower than the id of the next announcement.
    await publish('Future', '--published-at', later(3_600));
    clock.advance(60);
    await ops(api.context, `announcement withdraw --id ${inactive}`);
    expect(await title()).toBe('Valid');
    await ops(api.context, `announcement restore --id ${inactive}`);
    expect(await title()).toBe('Inactive');
    await publish('Now');
    expect(await title()).toBe('Now');
    clock.advance(3_600);
    expect(await title()).toBe('Future');
    clock.advance(-3_600);
  });

  test('An announcement is the latest until the second in which it expires (M-2.12.a14)', async () => {
    const { clock } = api.context;
    await publish('Short', '--expires-at', later(10));
    clock.advance(9);
    expect(await title()).toBe('Short');
    clock.advance(1);
    expect((await latest()).body['announcement']).toBeNull();
    clock.advance(-10);
  });

  test('A call without a token is refused (M-5.3)', async () => {
    expect(refusal(await api.call('announcementsLatest'))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
