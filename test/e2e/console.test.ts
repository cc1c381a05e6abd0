/// <reference lib="dom" />
/** The console in a real browser: what operators do there, in every look. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { problemsInEveryLook, violationsOf, watchProblems } from '../support/axe.ts';
import { browserNote, chromiumPath, startBrowser } from '../support/browser.ts';
import type { TestBrowser } from '../support/browser.ts';
import { consoleScene, consoleToken, longError } from '../support/console.ts';
import type { ConsoleScene } from '../support/console.ts';

/** `PICTURES` is a folder for screenshots. */
const pictures = process.env['PICTURES'];

describe.skipIf(chromiumPath === undefined)(`the console in Chromium${browserNote}`, () => {
  let api: TestApi;
  let scene: ConsoleScene;
  let browser: TestBrowser;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    api = await testApi();
    scene = await consoleScene(api);
    browser = await startBrowser();
    page = await browser.context.newPage();
    problems = watchProblems(page, api.url);
    await page.setViewportSize({ width: 1_400, height: 900 });
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const section = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
  const notice = (text: string) => page.getByRole('status').getByText(text).waitFor();

  test('An operator signs in, runs a feed, retries a job, grants, disables and revokes, all of it audited (G-05)', async () => {
    await page.goto(`${api.url}/console`);
    await page.getByLabel('Operator token').fill(await consoleToken(api, 'ada'));
    await press('Sign in');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (const name of ['feeds show airports', 'jobs list', 'devkey requests', 'report list'])
      await page.getByRole('link', { name, exact: true }).waitFor();
    await page.getByLabel('Id').fill(String(scene.logId));
    await press('Show');
    await page.getByText('refreshUserData').first().waitFor();

    await section('Feeds');
    await page.getByRole('link', { name: 'taf', exact: true }).click();
    await page.getByText(longError).first().waitFor();
    await page.getByText('Run', { exact: true }).click();
    await press('Run now');
    await notice('A run of taf is queued.');

    await section('Jobs');
    await page
      .getByRole('row', { name: /upstream did not answer/ })
      .getByRole('link')
      .click();
    await page.getByText('Retry', { exact: true }).click();
    await press('Retry now');
    await notice('The job is in its queue again.');
    await page
      .getByRole('row', { name: /no luck either/ })
      .getByRole('link')
      .click();
    await page.getByText('Discard', { exact: true }).click();
    await press('Discard now');
    await notice('The job is deleted.');

    await section('Users');
    await page.getByLabel('Search').fill(scene.pilot.email);
    await press('Show');
    await page.getByRole('link', { name: scene.pilot.email }).click();
    await page.waitForURL(/user\/show/);
    await page.getByRole('link', { name: 'Grant' }).click();
    await page.getByRole('textbox', { name: /^Product/ }).fill('EFB_PRO_M');
    await page.getByRole('textbox', { name: /^Days/ }).fill('10');
    await press('Grant');
    await notice('EFB_PRO_M is granted.');
    await page.getByRole('link', { name: 'Disable' }).click();
    await press('Disable');
    await notice('The account is disabled.');
    expect((await api.call('refreshUserData', { token: scene.pilot.token })).status).toBe(401);

    await section('Developer keys');
    await page.getByRole('link', { name: '1', exact: true }).click();
    await page.getByText('Revoke', { exact: true }).click();
    await press('Revoke now');
    await notice('Key 1 is revoked.');

    await section('Audit');
    for (const action of [
      'feeds run',
      'jobs retry',
      'jobs discard',
      'user grant',
      'user disable',
      'devkey revoke',
    ])
      expect([
        action,
        await page.getByRole('row', { name: new RegExp(`console:ada ${action}`) }).count(),
      ]).toEqual([action, 1]);
    expect(problems).toEqual([]);
  });

  test('Console pages are readable and usable in light and dark, on desktop and phone', async () => {
    // Between them they have every part that pages are made of.
    const addresses = [
      '',
      '/feeds/show?feed=taf',
      `/user/show?email=${scene.pilot.email}`,
      '/audit',
      '/va/create',
    ];
    for (const address of addresses) {
      await page.goto(`${api.url}/console${address}`);
      const found = await problemsInEveryLook(page, async ({ scheme, widthPx }) => {
        const name = address.split('?')[0]?.replaceAll('/', '-') ?? '';
        if (pictures !== undefined)
          await page.screenshot({
            path: `${pictures}/console${name}-${scheme}-${widthPx}.png`,
            fullPage: true,
          });
      });
      expect([address, found]).toEqual([address, []]);
    }
    // On the phone of the last look, the buttons of a table that is wider than the screen are in sight.
    await page.goto(`${api.url}/console/devkey/requests`);
    const table = page.getByRole('region', { name: 'Developer keys' });
    expect(await table.evaluate((region) => region.scrollWidth > region.clientWidth)).toBe(true);
    const right = await table
      .locator('td.act')
      .getByText('Grant')
      .first()
      .evaluate((button) => button.getBoundingClientRect().right);
    expect(right).toBeLessThanOrEqual(390);
    await page.getByText('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    expect(problems).toEqual([]);
  });
});
