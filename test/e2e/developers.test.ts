/// <reference lib="dom" />
/** The pages of developers in a real browser without scripts, in every look; and the page on which a device is let in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { problemsInEveryLook, watchProblems } from '../support/axe.ts';
import { browserNote, chromiumPath, startBrowser } from '../support/browser.ts';
import type { TestBrowser } from '../support/browser.ts';
import { verifyAddress } from '../support/mailed-links.ts';

const pictures = process.env['PICTURES'];

describe.skipIf(chromiumPath === undefined)(`developers in Chromium${browserNote}`, () => {
  let api: TestApi;
  let browser: TestBrowser;
  let page: Page;
  let problems: string[];
  let user: TestUser;
  beforeAll(async () => {
    api = await testApi();
    user = await api.user();
    await verifyAddress(api, user);
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
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
  /** Expects no accessibility error in any theme and size; `PICTURES` is a folder for screenshots. */
  const looksRight = async (name: string) => {
    const found = await problemsInEveryLook(page, async ({ scheme, widthPx }) => {
      if (pictures !== undefined)
        await page.screenshot({ path: `${pictures}/${name}-${scheme}-${widthPx}.png`, fullPage: true });
    });
    expect([name, found]).toEqual([name, []]);
  };

  test('A developer signs in, creates an application, requests permissions, adds an endpoint and inspects a call (G-05)', async () => {
    await page.goto(`${api.url}/developers`);
    await looksRight('sign-in');
    await page.getByLabel('Email address').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await press('Sign in');
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    await page.getByLabel('Name, which users see').fill('My EFB');
    await page.getByLabel('Purpose').fill('An EFB for our crews');
    await page.getByRole('combobox').last().selectOption('READ');
    await press('Create application');
    const key = (await page.locator('code.key').textContent()) ?? '';
    await looksRight('key');
    await api.call('login', { devKey: key, data: { email: user.email, password: user.password } });
    await api.call('airportStatus', { devKey: key });
    await api.running.services.requestLog.flush();

    await follow('Back');
    await page.getByText('pending approval').waitFor();
    await looksRight('application');
    await follow('Webhooks');
    await page.getByLabel('Address').fill('https://efb.example/hooks');
    await press('Add endpoint');
    await page.getByText('whsec_').waitFor();
    await follow('Back');
    await press('Send a test');
    await page.getByText('A test message is on its way.').waitFor();
    await looksRight('endpoint');
    await follow('Usage and calls');
    await page.getByRole('heading', { name: 'By day' }).waitFor();
    await looksRight('usage');
    await page.getByRole('row', { name: /login/ }).last().getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Request', exact: true }).waitFor();
    await looksRight('call');
    await page.goto(`${api.url}/developers`);
    await looksRight('applications');
    expect(problems).toEqual([]);
  });

  test('A user authorises a device by the code it shows', async () => {
    const devKey = await api.key();
    const { body } = await api.call('deviceAuthorize', { devKey });
    await page.goto(`${api.url}/device?user_code=${String(body['userCode'])}`);
    await looksRight('device');
    await press('Next');
    await page.getByText('asks to be signed in').waitFor();
    await looksRight('device-answer');
    await page.getByLabel('Email address').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await press('Sign the device in');
    await page.getByRole('heading', { name: 'The device is signed in' }).waitFor();
    await looksRight('device-done');
    const data = { deviceCode: body['deviceCode'] };
    expect((await api.call('deviceToken', { devKey, data })).status).toBe(200);
    expect(problems).toEqual([]);
  });
});
