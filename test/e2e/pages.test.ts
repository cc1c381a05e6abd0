/// <reference lib="dom" />
/** The web pages in a real browser. */
import { createHash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { landingSvg } from '#drawing/svg/svg.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { runSql } from '#test/support/sql.ts';
import { importAirports } from '../support/airports.ts';
import { planOf } from '../support/plans.ts';
import { problemsInEveryLook, violationsOf, watchProblems } from '../support/axe.ts';
import { browserNote, chromiumPath, startBrowser } from '../support/browser.ts';
import type { TestBrowser } from '../support/browser.ts';
import { sampleScene } from './scene.ts';
import { until } from '../support/until.ts';

/** Requests of the page to open the app, each with its reason; filled as they come. */
const appRequests = async (page: Page): Promise<Set<string>> => {
  const asked = new Set<string>();
  const devtools = await page.context().newCDPSession(page);
  devtools.on('Page.frameRequestedNavigation', ({ reason, url }) => {
    if (url.startsWith('app:')) asked.add(`${reason} ${url}`);
  });
  await devtools.send('Page.enable');
  return asked;
};

describe.skipIf(chromiumPath === undefined)(`pages in Chromium${browserNote}`, () => {
  let api: TestApi;
  let browser: TestBrowser;
  beforeAll(async () => {
    api = await testApi();
    browser = await startBrowser();
    await importAirports(api.context, ['KJFK', 'KBOS', 'KLAX']);
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  const resetLink = async (userId: number, returnUrl: string | null) => {
    const token = randomBytes(32).toString('base64url');
    const now = api.context.clock.now();
    await runSql(api.context.postgres)`
      INSERT INTO password_reset (user_id, token_hash, return_url, created_at, expires_at)
      VALUES (${userId}, ${createHash('sha256').update(token).digest()}, ${returnUrl}, ${now},
        ${new Date(now.getTime() + 3_600_000)})`;
    return `${api.url}/reset-password?token=${token}`;
  };

  test('An account is created with the form, and registration and recovery forms have no accessibility errors in any theme (M-4.6.q1a)', async () => {
    const page = await browser.context.newPage();
    const problems = watchProblems(page, api.url);
    for (const path of ['/reset', '/register']) {
      await page.goto(`${api.url}${path}`);
      expect([path, await problemsInEveryLook(page)]).toEqual([path, []]);
    }
    await page.getByLabel('Email address').fill('eve@pilot.example');
    await page.getByLabel('First name').fill('Eve');
    await page.getByLabel('Last name').fill('Page');
    await page.getByLabel(/^Password/).fill('by the form');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByText('eve@pilot.example').waitFor();
    expect([...(await violationsOf(page)), ...problems]).toEqual([]);
    await page.close();
  });

  test('The reset form is filled in, saved, and redirects to the application after 2 seconds (M-4.6.q3e)', async () => {
    const user = await api.user();
    const page = await browser.context.newPage();
    const problems = watchProblems(page, api.url);
    await page.route('https://app.example/**', (route) =>
      route.fulfill({ body: '<h1>back in the app</h1>', contentType: 'text/html' }),
    );
    const saved = page
      .waitForResponse((response) => response.request().method() === 'POST')
      .then((response) => response.text());
    await page.goto(await resetLink(user.id, 'https://app.example/done'));
    expect([...(await problemsInEveryLook(page)), ...problems]).toEqual([]);
    await page.getByLabel(/new password/i).fill('a brand new one');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'https://app.example/done' }).waitFor();
    expect(problems).toEqual([]);
    expect(await saved).toContain('content="2;url=https://app.example/done"');
    await page.getByText('back in the app').waitFor();
    const login = await api.call('login', {
      devKey: await api.key(),
      data: { email: user.email, password: 'a brand new one' },
    });
    expect(login.status).toBe(200);
    await page.close();
  });

  test('A used link is reported as used, without a form', async () => {
    const user = await api.user();
    const link = await resetLink(user.id, null);
    const page = await browser.context.newPage();
    await page.goto(link);
    await page.getByLabel(/new password/i).fill('first use');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('You can now log in').waitFor();
    await page.goto(link);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/invalid or has already been used/);
    expect(await problemsInEveryLook(page)).toEqual([]);
    await page.close();
  });

  test('The share page works by keyboard, fits a narrow screen, and opens the application only on request (M-2.6.f14)', async () => {
    const owner = await api.user();
    const name =
      'A long name of a flight plan without any space: EDDF_KJFK_2026-09-16_DLH400_A346_planned_twice';
    const data = { ofpId: await planOf(api, owner, name), permission: 'edit', expiresInDays: 2 };
    const { body } = await api.call('ofpShare', { token: owner.token, data });
    const share = body['share'] as Record<string, string>;
    const colours: string[] = [];
    const { context } = browser;
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await context.newPage();
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 640 });
      const asked = await appRequests(page);
      const address = `${api.url}/share?t=${share['shareToken']}`;
      await page.goto(address);
      expect([...asked]).toEqual([]);
      const link = page.getByRole('link', { name: 'Open in the app' });
      expect(await link.getAttribute('href')).toBe(share['deepLink']);
      const hasFocus = () => link.evaluate((element) => element === document.activeElement);
      expect(await hasFocus()).toBe(true);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Shift+Tab');
      expect(await hasFocus()).toBe(true);
      expect(await link.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
      await page.keyboard.press('Enter');
      await until('the key opens the app', () => asked.has(`anchorClick ${share['deepLink']}`));
      expect(await page.getByText(share['shareCode'] ?? '').isVisible()).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      colours.push(
        await page.getByText(share['shareCode'] ?? '').evaluate((element) => getComputedStyle(element).color),
      );
      expect(await violationsOf(page)).toEqual([]);
      await page.goto(`${api.url}/share?t=${'x'.repeat(48)}`);
      expect(await page.getByRole('alert').textContent()).toBe('This invitation does not exist.');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      expect(await violationsOf(page)).toEqual([]);
      await page.close();
    }
    expect(colours[0]).not.toBe(colours[1]);
  });

  test('The text of a drawing is legible in browsers, light and dark (M-2.9.x3)', async () => {
    const colours: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.context.newPage();
      await page.emulateMedia({ colorScheme });
      await page.setContent(landingSvg(sampleScene));
      const background = await page.locator('.page').evaluate((element) => getComputedStyle(element).fill);
      colours.push(background);
      const boxes = await page
        .locator('svg text')
        .evaluateAll((texts) =>
          texts.map((text) => (text as SVGTextElement).getBBox()).map(({ x, width }) => [x, x + width]),
        );
      expect(boxes.length).toBeGreaterThan(5);
      await page.close();
    }
    expect(colours[0]).not.toBe(colours[1]);
  });
});
