/// <reference lib="dom" />
/** The status page in a real browser: widths, colour schemes, with and without scripts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { feedStatusWrites } from '#data/postgres/feeds/status.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { runSql } from '#test/support/sql.ts';
import { importAirports } from '../support/airports.ts';
import { browserNote, chromiumPath, startBrowser } from '../support/browser.ts';
import type { TestBrowser } from '../support/browser.ts';

const names = ['airports', 'datis', 'metar', 'notam', 'taf', 'winds'];

describe.skipIf(chromiumPath === undefined)(`the status page in Chromium${browserNote}`, () => {
  let api: TestApi;
  const browsers: Partial<Record<'light' | 'dark', TestBrowser>> = {};
  const contextOf = (scheme: 'light' | 'dark'): BrowserContext => {
    const browser = browsers[scheme];
    if (!browser) throw new Error(`no ${scheme} browser`);
    return browser.context;
  };
  beforeAll(async () => {
    api = await testApi();
    for (const scheme of ['light', 'dark'] as const) browsers[scheme] = await startBrowser(scheme);
    await importAirports(api.context, ['KJFK', 'KBOS', 'KLAX']);
    await api.context.postgres.transaction((tx) =>
      feedStatusWrites(tx).declare(
        names.map((name) => ({ name, schedule: '* * * * *', graceMinutes: 5, staleMinutes: 20 })),
      ),
    );
    const now = api.context.clock.now();
    // One word without a space, wider than a phone.
    const error = `${'x'.repeat(120)} cannot be reached`;
    await runSql(api.context.postgres)`
      INSERT INTO feed_state (feed, last_success_at, last_failure_at, last_error, consecutive_failures)
      SELECT name, ${now}, ${now}, ${error}, 1 FROM feed`;
    await runSql(api.context.postgres)`
      INSERT INTO feed_run (feed, slot, started_at, finished_at, ok)
      SELECT name, at, at, at, extract(minute FROM at) <> 30 FROM feed,
        generate_series(${now}::timestamptz - interval '20 hours', ${now}, interval '30 minutes') at`;
  });
  afterAll(async () => {
    for (const browser of Object.values(browsers)) await browser.close();
    await api.close();
  });

  /** Opens the page, and collects everything that a clean page has none of. */
  const open = async (
    context: BrowserContext,
    width: number,
  ): Promise<{ page: Page; problems: string[] }> => {
    const page = await context.newPage();
    const problems: string[] = [];
    await page.setViewportSize({ width, height: 800 });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(api.url) && !/^(data|blob):/.test(request.url()))
        problems.push(request.url());
    });
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${api.url}/status`);
    return { page, problems };
  };

  test.each([
    ['light', 390],
    ['light', 1_400],
    ['dark', 390],
    ['dark', 1_400],
  ] as const)(
    'In %s at %i px it has feeds and the map, no error and no sideways scroll',
    async (scheme, width) => {
      const { page, problems } = await open(contextOf(scheme), width);
      await page.getByText('3 airports').waitFor();
      await page.locator('#map canvas').first().waitFor();
      expect(await page.locator('.feed').count()).toBe(names.length);
      expect(await page.locator('.feed .bars rect').count()).toBe(names.length * 24);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  test('The colours follow the scheme, and text is readable on both', async () => {
    const found: number[][] = [];
    for (const scheme of ['light', 'dark'] as const) {
      const { page } = await open(contextOf(scheme), 1_024);
      const styles = await page.evaluate(() => {
        const card = document.querySelector('.feed');
        const title = document.querySelector('.feed h3');
        return [card && getComputedStyle(card).backgroundColor, title && getComputedStyle(title).color];
      });
      // Sums of red, green and blue, 0 to 765.
      found.push(
        styles.map((text) => (text?.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0)),
      );
      await page.close();
    }
    const [[lightCard = 0, lightInk = 0] = [], [darkCard = 0, darkInk = 0] = []] = found;
    expect(lightCard - lightInk).toBeGreaterThan(400);
    expect(darkInk - darkCard).toBeGreaterThan(400);
  });

  test('A newer page replaces the old one in place', async () => {
    const { page, problems } = await open(contextOf('light'), 1_024);
    await page.clock.install();
    await page.reload();
    await page.getByText('3 airports').waitFor();
    await runSql(api.context.postgres)`UPDATE feed_state SET last_success_at = NULL WHERE feed = 'taf'`;
    await page.clock.runFor(31_000);
    await page.getByText('TAF without data so far').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('Without scripts everything but the map is there', async () => {
    const browser = contextOf('light').browser();
    const context = await browser?.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    if (!context) throw new Error('the browser has no second context');
    const page = await context.newPage();
    await page.goto(`${api.url}/status`);
    expect(await page.locator('.feed').count()).toBe(names.length);
    expect(await page.getByText('Dead letters').isVisible()).toBe(true);
    expect(await page.locator('#map').isVisible()).toBe(false);
    expect(await page.getByText('The map needs JavaScript').isVisible()).toBe(true);
    await context.close();
  });
});
