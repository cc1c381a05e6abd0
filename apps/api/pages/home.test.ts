import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ env: { BASE_URL: 'https://efb.example' } });
});
afterAll(() => api.close());

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const get = async (path: string, accept: string) => {
  const response = await api.fetch(path, { headers: { accept } });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

test('The home page is HTML for browsers and a JSON index of URLs for programs', async () => {
  const page = await get('/', browser);
  expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
  expect(page.text).toContain('<meta property="og:image" content="https://efb.example/landing.png">');
  for (const accept of ['*/*', 'application/json']) {
    const answer = await get('/', accept);
    expect(answer).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' });
    expect(JSON.parse(answer.text)).toMatchObject({
      api: 'POST https://efb.example/api',
      documentation: 'https://efb.example/docs',
    });
  }
});

test('An unknown path is a page for browsers and JSON for programs; below /api it is always JSON', async () => {
  const page = await get('/nothing/<b>', browser);
  expect(page).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' });
  expect(page.text).toContain('<h1>Page not found</h1>');
  expect(page.text).not.toContain('<b>');
  for (const [path, accept] of [
    ['/nothing', '*/*'],
    ['/api/nothing', browser],
  ] as const) {
    const answer = await get(path, accept);
    expect(answer).toMatchObject({ status: 404, type: 'application/json; charset=utf-8' });
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});

test('Search engines get robots.txt and a sitemap whose pages all exist', async () => {
  expect((await get('/robots.txt', '*/*')).text).toContain('Sitemap: https://efb.example/sitemap.xml');
  const { text } = await get('/sitemap.xml', '*/*');
  const paths = [...text.matchAll(/<loc>https:\/\/efb\.example([^<]*)<\/loc>/g)].map(([, path = '']) => path);
  expect(paths).toContain('/docs/guide/first-landing');
  for (const path of paths) expect([path, (await get(path, browser)).status]).toEqual([path, 200]);
  expect(await get('/landing.png', '*/*')).toMatchObject({ status: 200, type: 'image/png' });
});
