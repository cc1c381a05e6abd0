/// <reference lib="dom" />
/** The status page in a real browser: widths, colour schemes, with and without scripts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { sigmetOver, storeSigmets } from '#test/support/route.ts';
import { runSql } from '#test/support/sql.ts';
import { importAirports } from '../support/airports.ts';
import { problemsInEveryLook, watchProblems } from '../support/axe.ts';
import { browserNote, chromiumPath, startBrowser } from '../support/browser.ts';
import type { TestBrowser } from '../support/browser.ts';

const names = ['airports', 'datis', 'metar', 'notam', 'taf', 'winds'];

describe.skipIf(chromiumPath === undefined)(`the status page in Chromium${browserNote}`, () => {
  let api: TestApi;
  let browser: TestBrowser;
  beforeAll(async () => {
    api = await testApi();
    browser = await startBrowser();
    await importAirports(api.context, ['KJFK', 'KBOS', 'KLAX']);
    await storeSigmets(api, [
      sigmetOver([38, -80, 46, -68]),
      sigmetOver([-20, 172, -8, -172], { hazard: 'TS', qualifier: 'EMBD' }),
      sigmetOver([30, -110, 36, -98], { kind: 'G-AIRMET', hazard: 'ICE', qualifier: 'MOD' }),
    ]);
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
    await browser.close();
    await api.close();
  });

  /** Opens the page, and collects everything that a clean page has none of. */
  const open = async (): Promise<{ page: Page; problems: string[] }> => {
    const page = await browser.context.newPage();
    const problems = watchProblems(page, api.url);
    await page.goto(`${api.url}/status`);
    await page.getByText('3 airports').waitFor();
    return { page, problems };
  };

  test('On desktop and phone, in light and dark, the page shows feeds and the map readably and without an error', async () => {
    const { page, problems } = await open();
    await page.locator('#map canvas').first().waitFor();
    expect(await page.locator('.feed').count()).toBe(names.length);
    await page.getByText('3 of SIGMET and AIRMET in force').waitFor();
    expect(await page.locator('.feed .bars rect').count()).toBe(names.length * 24);
    const colours = new Set<string>();
    const found = await problemsInEveryLook(page, async () => {
      const card = page.locator('.feed').first();
      colours.add(await card.evaluate((element) => getComputedStyle(element).backgroundColor));
    });
    expect([...found, ...problems]).toEqual([]);
    expect(colours.size).toBe(2);
    await page.close();
  });

  test('A newer page replaces the old one in place', async () => {
    const { page, problems } = await open();
    await page.clock.install();
    await page.reload();
    await page.getByText('3 airports').waitFor();
    await runSql(api.context.postgres)`UPDATE feed_state SET last_success_at = NULL WHERE feed = 'taf'`;
    await page.clock.runFor(31_000);
    await page.getByText('TAF without data so far').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('Without scripts the page lacks only the map', async () => {
    const context = await browser.context.browser()?.newContext({
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
