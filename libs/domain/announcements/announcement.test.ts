import { describe, expect, test } from 'vitest';
import { announcementDraftSchema } from './announcement.ts';

describe('announcementDraftSchema', () => {
  const draft = { title: ' T ', body: 'B', publishedAt: new Date(0) };

  test('Texts are trimmed, and omitted fields completed', () => {
    expect(announcementDraftSchema.parse(draft)).toMatchObject({
      title: 'T',
      bodyFormat: 'markdown',
      summary: null,
    });
  });

  test('Links may open an app', () => {
    const url = 'myefb://briefing?flight=1';
    const links = { contentUrl: url, actionLinks: [{ label: 'Open', url }] };
    expect(announcementDraftSchema.parse({ ...draft, ...links })).toMatchObject(links);
  });

  test.each([
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(151) }],
    ['body', { body: ' ' }],
    ['bodyFormat', { bodyFormat: 'rtf' }],
    ['contentUrl', { contentUrl: 'javascript:alert(1)' }],
    ['coverImageUrl', { coverImageUrl: 'ftp://efb.example' }],
    ['galleryImages', { galleryImages: [{ url: 'data:x' }] }],
    ['actionLinks', { actionLinks: [{ label: 'x', url: 'x' }] }],
    ['actionLinks', { actionLinks: [{ label: 'x', url: 'file:///etc/passwd' }] }],
    ['expiresAt', { expiresAt: new Date(0) }],
  ])('A wrong %s is refused: %j', (field, changes) => {
    const { error } = announcementDraftSchema.safeParse({ ...draft, ...changes });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});
