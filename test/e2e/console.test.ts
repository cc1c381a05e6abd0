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

  test('An operator signs in, runs a feed, retries a job, grants, disables and revokes, and the audit has it (G-05)', async () => {
    await page.goto(`${api.url}/console`);
    await page.getByLabel('Operator token').fill(await consoleToken(api, 'ada'));
    await press('Sign in');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (const name of ['Jobs that failed for good', 'Requests for permissions', 'Problem reports'])
      await page.getByRole('link', { name }).waitFor();
    await page.getByLabel('Log id').fill(String(scene.logId));
    await press('Search');
    await page.getByText('refreshUserData').first().waitFor();
    await page.goto(`${api.url}/console/feeds`);
    await page.getByRole('heading', { name: 'Feeds' }).waitFor();

    await page.getByRole('link', { name: 'TAF', exact: false }).first().click();
    await page.getByText(longError).first().waitFor();
    await press('Run now');
    await notice('A run of taf is queued.');

    await section('Queues');
    await page
      .getByRole('row', { name: /upstream did not answer/ })
      .getByRole('button', { name: /Retry/ })
      .click();
    await notice('The job is in its queue again.');
    await page.getByRole('link', { name: 'mail.send' }).click();
    await page.getByText('no luck either').waitFor();
    await page.getByText('Discard', { exact: true }).click();
    await press('Discard now');
    await notice('The job is deleted.');

    await section('Users');
    await page.getByLabel('Email address or name').fill(scene.pilot.email);
    await press('Search');
    await page.getByRole('link', { name: scene.pilot.email }).click();
    await page.getByRole('combobox').selectOption('EFB_PRO_M');
    await page.getByRole('spinbutton', { name: /^Days/ }).fill('10');
    await press('Grant subscription');
    await notice('EFB_PRO_M is granted.');
    await page.getByText('Disable account', { exact: true }).click();
    await press('Disable account now');
    await notice('The account is disabled.');
    expect((await api.call('refreshUserData', { token: scene.pilot.token })).status).toBe(401);

    await section('Developer keys');
    await page.getByText('Revoke', { exact: false }).first().click();
    await press(/Revoke now/);
    await notice('Key 1 is revoked.');

    await section('Audit');
    for (const action of [
      'feeds run',
      'jobs retry',
      'jobs discard',
      'subscription grant',
      'user disable',
      'devkey revoke',
    ])
      expect([
        action,
        await page.getByRole('row', { name: new RegExp(`console:ada ${action}`) }).count(),
      ]).toEqual([action, 1]);
    expect(problems).toEqual([]);
  });

  test('Its pages are readable and usable in light and dark, on a desk and a phone', async () => {
    // Between them they have every part that pages are made of.
    const addresses = ['feeds/show?feed=taf', `users/show?id=${scene.pilot.id}`, 'audit'];
    for (const address of addresses) {
      await page.goto(`${api.url}/console/${address}`);
      expect([address, await problemsInEveryLook(page)]).toEqual([address, []]);
    }
    // On the phone of the last look, the buttons of a table that is wider than the screen are in sight.
    await api.key();
    await page.goto(`${api.url}/console/keys`);
    const table = page.getByRole('region', { name: 'Developer keys' });
    expect(await table.evaluate((region) => region.scrollWidth > region.clientWidth)).toBe(true);
    const right = await table
      .locator('td.act')
      .getByText('Revoke')
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
