/// <reference lib="dom" />
/** The calculator for visitors, and the first page, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { createGuestAccount } from '#commands/users/accounts.ts';
import { newDeveloperKey } from '#platform/developer-keys.ts';
import { sql } from '#store/postgres/sql.ts';
import { loadRegistries } from '#api/registry.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { runSql } from '#test/support/sql.ts';
import { importAirports } from '../support/airports.ts';
import { problemsInEveryLook, violationsOf, watchProblems } from '../support/axe.ts';
import { browserNote, chromiumPath, startBrowser } from '../support/browser.ts';
import type { TestBrowser } from '../support/browser.ts';

const key = newDeveloperKey();

let api: TestApi;
const created: boolean[] = [];
beforeAll(async () => {
  api = await testApi({ env: { TRY_DEVELOPER_KEY: key } });
  const { postgres, clock, config } = api.context;
  await importAirports(api.context, ['KJFK', 'KBOS', 'KLGA']);
  const create = () =>
    postgres.transaction((tx) => createGuestAccount(tx, { clock, config }, { key, passwordHash: '!' }));
  // Two processes that start together.
  created.push(...(await Promise.all([create(), create()])));
  await runSql(
    postgres,
  )`UPDATE airport SET municipality = 'São Paulo', former_icaos = '{KXXX}', iata = 'LGA' WHERE icao = 'KLGA'`;
  await runSql(postgres)`INSERT INTO metar (icao, observed_at, raw, source)
    VALUES ('KJFK', ${clock.now()}, 'METAR KJFK 161151Z 04012KT 10SM OVC020 15/10 A3002', 'FILE')`;
});
afterAll(() => api.close());

const guestToken = async (): Promise<string> => {
  const { token } = (await (await api.fetch('/try/token')).json()) as { token: string };
  return token;
};

describe('visitors without an account', () => {
  test('Visitors may only do what is declared for them, and are counted by address', async () => {
    // Once, however often the service starts.
    expect(new Set(created)).toEqual(new Set([true, false]));
    const token = await guestToken();
    const { operations } = (await loadRegistries()).queries;
    const open: string[] = [];
    for (const { name, isForGuests } of operations) {
      const { body, status } = await api.call(name, { token, data: {} });
      const code = JSON.stringify(body).includes('Visitors without an account') ? 'REFUSED' : status;
      if (isForGuests) open.push(name);
      expect([name, code === 'REFUSED']).toEqual([name, !isForGuests]);
    }
    expect(open.toSorted()).toEqual(['aircraft', 'airport', 'allowedAircrafts', 'performance', 'weather']);
    const counted = await api.context.postgres.db.any<{ key: string; used: number }>(
      sql`SELECT key, used FROM rate_limit WHERE key LIKE 'guestCalculations%'`,
    );
    expect(counted).toEqual([{ key: 'guestCalculations guest:127.0.0.1', used: 1 }]);
  });

  test('Visitors get a token for an hour, but not from another site’s page', async () => {
    const answer = await api.fetch('/try/token');
    expect([answer.headers.get('cache-control'), await answer.json()]).toEqual([
      'no-store',
      { token: expect.any(String), expiresIn: 3_600 },
    ]);
    const foreign = await api.fetch('/try/token', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.status).toBe(403);
    expect((await api.fetch('/try/secrets.json')).status).toBe(404);
    expect((await api.fetch('/try/html.ts')).status).toBe(404);
  });

  test('Visitors share a daily allowance and are told when it is used up and until when', async () => {
    const { postgres } = api.context;
    const token = await guestToken();
    const data = {
      requestType: 'LANDING',
      landingMode: 'inflight',
      aircraft: { file: '737-800-7B26' },
      airport: 'KJFK',
      runway: '04L',
      weight: { landingWeight: 60_000 },
    };
    const ask = () => api.call('performance', { token, data });
    expect((await ask()).status).toBe(200);
    await runSql(postgres)`UPDATE product SET max_calculation = 1 WHERE code = 'EFB_VISITORS'`;
    const { body } = await ask();
    // The test clock stands still, so the allowance used now is free again in a day.
    const nextAt = new Date(api.context.clock.now().getTime() + 86_400_000);
    expect(body).toMatchObject({
      availableAt: nextAt.toISOString().slice(0, 19).replace('T', ' '),
      error: { code: 'CALCULATION_LIMIT_REACHED' },
    });
    await runSql(postgres)`UPDATE calculation SET created_at = created_at - interval '24 hours 1 second'`;
    expect((await ask()).status).toBe(200);
    await runSql(postgres)`UPDATE product SET max_calculation = 3000 WHERE code = 'EFB_VISITORS'`;
  });

  test('Visitors find an airport by a city name that has changed', async () => {
    const cities = async () => {
      // A call waits until the process has seen the commit.
      await api.call('allowedAircrafts', { token: await guestToken() });
      return (await api.fetch('/try/airports')).json() as Promise<Record<string, { city?: string }>>;
    };
    const before = await cities();
    await runSql(api.context.postgres)`UPDATE airport SET municipality = 'Shawmut' WHERE icao = 'KBOS'`;
    expect(await cities()).toEqual({ ...before, KBOS: { ...before['KBOS'], city: 'Shawmut' } });
  });

  test('A program that requests the home page gets the URLs of all documents', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const answer = await api.fetch('/', { headers: { accept } });
      expect([accept, answer.status, await answer.json()]).toEqual([
        accept,
        200,
        expect.objectContaining({ api: expect.stringMatching(/^POST .*\/api$/) }),
      ]);
    }
  });
});

describe.skipIf(chromiumPath === undefined)(`calculator in Chromium${browserNote}`, () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await startBrowser();
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(() => browser.close());

  const open = async (path: string): Promise<{ page: Page; problems: string[] }> => {
    const page = await browser.context.newPage();
    const problems = watchProblems(page, api.url);
    await page.setViewportSize({ width: 1_400, height: 900 });
    await page.goto(`${api.url}${path}`);
    return { page, problems };
  };
  /** Pages of paper. */
  const pagesOf = async (page: Page): Promise<number | undefined> => {
    const pdf = await page.pdf({ preferCSSPageSize: true });
    return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length;
  };
  /** The drawing on paper fills this width and is not made narrower by its height. */
  const expectAsWideAs = async (page: Page, paper: { width: number; height: number }): Promise<void> => {
    await page.setViewportSize(paper);
    const drawing = page.locator('img.drawing:visible');
    const shape = () =>
      drawing.evaluate((image: HTMLImageElement) => ({
        ...image.getBoundingClientRect().toJSON(),
        ratio: image.naturalWidth / image.naturalHeight,
      }));
    await expect.poll(async () => (await shape()).ratio).toBeGreaterThan(0);
    const { width, height, ratio } = await shape();
    expect(width).toBeGreaterThan(paper.width - 5);
    expect(width / height).toBeCloseTo(ratio, 1);
  };
  const cellsOf = async (page: Page, row: string): Promise<string[]> =>
    page.locator('#answer tr', { hasText: row }).locator('td').allTextContents();

  test('The home page shows the state, the other pages and a working call', async () => {
    const { page, problems } = await open('/');
    expect([...(await problemsInEveryLook(page)), ...problems]).toEqual([]);
    const links = await page.locator('main a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(links).toEqual(expect.arrayContaining(['/try', '/docs', '/status']));
    const [, body = ''] = /-d '(.*)'/.exec((await page.locator('pre').textContent()) ?? '') ?? [];
    const answer = await api.fetch('/api', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(200);
    await page.close();
  });

  test('A Boeing landing is calculated by keyboard alone with the METAR, and shared as link and curl command', async () => {
    const { page, problems } = await open('/try');
    await page.locator('#flap option').first().waitFor({ state: 'attached' });
    const tabTo = async (id: string) => {
      for (let i = 0; i < 30 && !(await page.locator(`${id}:focus`).count()); i += 1)
        await page.keyboard.press('Tab');
    };
    await tabTo('#airport');
    await page.keyboard.type('kennedy');
    await page.getByRole('option', { name: 'KJFK' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.runway').first().waitFor();
    expect(await page.locator('input[name="runway"]:checked').inputValue()).toBe('04L');
    expect(await page.locator('[data-runway="04L"]').textContent()).toMatch(
      /LDA 3,355 m.*12 kt head, 2 kt right/,
    );
    expect(await page.locator('#qnh').inputValue()).toBe('1016.6');
    expect(await page.locator('#vrefAdditive').inputValue()).toBe('6');
    expect(await page.locator('#metar').textContent()).toContain('04012KT');
    await tabTo('#landingWeight');
    await page.keyboard.type('60000');
    await page.keyboard.press('Enter');
    await page.locator('.verdict.good').waitFor();
    expect(await page.locator('.verdict').textContent()).toContain('Landing fits');
    expect(await page.locator('#answer tbody tr').count()).toBe(5);
    const [verdict, actual, needed, spare] = await cellsOf(page, 'AUTOBRAKE 2');
    expect(verdict).toBe('Fits');
    const metres = (text = '') => Number(text.replace(/[,m ]/g, ''));
    expect(metres(needed) + metres(spare)).toBe(3_355);
    expect(Math.abs(metres(needed) - metres(actual) / 0.85)).toBeLessThanOrEqual(1);
    // The drawing comes from the API and is shown.
    await page.waitForFunction(
      () => (document.querySelector('img.drawing') as HTMLImageElement).naturalWidth > 0,
      undefined,
      // By time: a busy browser draws no frames.
      { polling: 100 },
    );
    expect([...(await problemsInEveryLook(page)), ...problems]).toEqual([]);

    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('curl copied').waitFor();
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    const [, body = ''] = /-d '([^]*)'/.exec(curl) ?? [];
    const again = await api.fetch('/api', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await guestToken()}` },
      body,
    });
    expect(await again.json()).toMatchObject({ calculationPossible: true });

    const link = new URL(page.url());
    await page.goto(`${api.url}/status`);
    await page.goto(link.href);
    await page.locator('.verdict.good').waitFor();
    expect(await cellsOf(page, 'AUTOBRAKE 2')).toEqual([verdict, actual, needed, spare, '± 1.3 %', 'none']);

    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#inputs').isVisible()).toBe(false);
    expect(await page.locator('.verdict').isVisible()).toBe(true);
    expect(await page.locator('.record').textContent()).toMatch(
      /landing weight: 60000 kg.*\d{4}-\d\d-\d\d \d\d:\d\d UTC · http.*landingWeight=60000/,
    );
    expect(await pagesOf(page)).toBe(1);
    await expectAsWideAs(page, { width: 643, height: 1_077 });
    await page.close();
  });

  test('A takeoff with a failed item is calculated with what would change the result, drawn, shared and printed (G-07)', async () => {
    const { page, problems } = await open('/try?mode=takeoff&airport=KJFK&runway=04L&takeoffWeight=70000');
    await page.locator('.verdict.good', { hasText: 'Takeoff fits' }).waitFor();
    const verdict = await page.locator('.verdict').textContent();
    expect(verdict).toMatch(
      /At most 79,016 kg, limited by the structure.*V1 \d+, VR \d+, V2 \d+ kt with \d+ °C assumed/,
    );
    expect(await page.locator('[data-runway="04L"]').textContent()).toContain('TORA 3,459 m');
    expect(await cellsOf(page, 'V1 possible')).toHaveLength(2);
    await page.locator('.failures summary').click();
    await page.locator('input[name="mel"][value="32-42-01"]').check();
    await page.locator('input[name="assess"]').check();
    await page.locator('#flap').selectOption('5');
    await page.getByRole('button', { name: 'Calculate' }).click();
    await page.locator('.verdict', { hasText: 'at full thrust' }).waitFor();
    for (const caption of ['By flap', 'By rating', 'With one change'])
      expect(await page.locator('caption', { hasText: caption }).count()).toBe(1);
    await page.waitForFunction(
      () => (document.querySelector('img.drawing') as HTMLImageElement).naturalWidth > 0,
      null,
      { polling: 100 },
    );
    expect([...(await problemsInEveryLook(page)), ...problems]).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    await expectAsWideAs(page, { width: 1_077, height: 748 });
    expect(await pagesOf(page)).toBe(1);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1_400, height: 900 });
    const shared = page.url();
    expect(shared).toContain('mel=32-42-01');
    await page.goto(`${api.url}/status`);
    await page.goto(shared);
    await page.locator('.verdict', { hasText: 'at full thrust' }).waitFor();
    await page.getByRole('radio', { name: 'In flight' }).check();
    await page.locator('#nonNormal').selectOption({ index: 2 });
    await page.getByRole('button', { name: 'Calculate' }).click();
    await page.locator('caption', { hasText: 'Needed distance by runway condition code' }).waitFor();
    await page.close();
  });

  test('Airports are found by city, former code and without accents, and an unknown code clears the previous airport', async () => {
    const { page } = await open('/try');
    await page.locator('#flap option').first().waitFor({ state: 'attached' });
    for (const typed of ['sao paulo', 'kxxx', 'LGA', 'laguardia']) {
      await page.locator('#airport').fill(typed);
      await page.getByRole('option', { name: 'KLGA' }).waitFor();
    }
    await page.keyboard.press('Enter');
    await page.locator('.runway').first().waitFor();
    await page.locator('#airport').fill('KBOX');
    await page.keyboard.press('Enter');
    await page.locator('#airport-problem', { hasText: 'no airport KBOX' }).waitFor();
    expect(await page.locator('.runway').count()).toBe(0);
    expect(await page.locator('#metar').textContent()).toBe('');
    expect(await problemsInEveryLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'KBOS' }).click();
    await page.locator('.runway').first().waitFor();
    await page.close();
  });

  test('Weights and winds are accepted as usually written, switching units keeps the weight, and assumed values are marked', async () => {
    const { page } = await open('/try?airport=KBOS&runway=04R');
    await page.locator('.verdict').waitFor();
    expect(await page.locator('.assumptions').textContent()).toMatch(/Assumed: .*oat.*qnh.*landing weight/);
    await page.locator('#windDirection').fill('050/15G25');
    await page.keyboard.press('Tab');
    const wind = ['#windDirection', '#windSpeed', '#gust'].map((id) => page.locator(id).inputValue());
    expect(await Promise.all(wind)).toEqual(['50', '15', '25']);
    const texts: (string | null)[] = [];
    for (const typed of ['61,500', '61.500', '61 500']) {
      await page.locator('#landingWeight').fill(typed);
      await page.keyboard.press('Enter');
      await page.locator('#answer:not(.old) .verdict').waitFor();
      texts.push(await page.locator('caption', { hasText: 'Distances' }).textContent());
    }
    const [caption] = texts;
    expect(caption).toMatch(/^Distances at 61,500 kg for an LDA of /);
    expect(texts).toEqual([caption, caption, caption]);
    await page.locator('#autobrake').selectOption('');
    const before = await page.locator('.verdict').textContent();
    for (const units of ['lb, ft', 'kg, m', 'lb, ft', 'kg, m']) {
      await page.getByRole('radio', { name: units }).check();
      await page.locator('#answer:not(.old) .verdict').waitFor();
    }
    await page.locator('.verdict', { hasText: ' m needed' }).waitFor();
    expect(await page.locator('#landingWeight').inputValue()).toBe('61500');
    expect(await page.locator('.verdict').textContent()).toBe(before);
    await page.locator('#aircraft').selectOption('A320-251N');
    await page.locator('#autobrake option', { hasText: 'LO' }).first().waitFor({ state: 'attached' });
    expect(await page.locator('#autobrake').inputValue()).toBe('');
    await page.close();
  });

  test('A dispatch Airbus landing switches its units and explains what does not fit', async () => {
    const { page, problems } = await open(
      '/try?mode=dispatch&aircraft=A320-251N&airport=KJFK&runway=22R&landingWeight=70000&windDirection=40&windSpeed=5&temperature=15&qnh=1013&state=WET',
    );
    await page.locator('.verdict.bad').waitFor();
    const verdict = () => page.locator('.verdict').textContent();
    expect(await verdict()).toContain('Too heavy for this landing');
    expect(await verdict()).toContain('At most 67,400 kg, limited by the structure');
    expect(await page.locator('[data-runway="22R"]').textContent()).toMatch(/5 kt tail/);
    await page.getByRole('radio', { name: 'lb, ft' }).check();
    await page
      .getByText(/148,59[12] lb/)
      .first()
      .waitFor();
    expect(await page.locator('#landingWeight').inputValue()).toBe('154324');
    expect(await page.locator('#qnh').inputValue()).toBe('29.91');
    await page.getByRole('radio', { name: 'In flight' }).check();
    expect(await page.locator('#answer.old').count()).toBe(1);
    await page.locator('#state').selectOption('POOR');
    await page.locator('#autobrake').selectOption('LO');
    await page.locator('#landingWeight').fill('145000');
    await page.getByRole('button', { name: 'Calculate' }).click();
    await page.locator('.verdict.bad', { hasText: 'AUTOBRAKE LO' }).waitFor();
    expect(await verdict()).toMatch(/Runway too short.*are missing/);
    expect([...(await problemsInEveryLook(page)), ...problems]).toEqual([]);
    await page.close();
  });

  test('Errors appear beside their field: unknown airport, numbers, and whatever the API refuses', async () => {
    const { page } = await open('/try');
    await page.locator('#flap option').first().waitFor({ state: 'attached' });
    const button = page.getByRole('button', { name: 'Calculate' });
    await button.click();
    expect(await page.locator('#airport-problem').textContent()).toBe('Choose an airport from the list.');
    await page.locator('#airport').fill('KBOS');
    await page.keyboard.press('Enter');
    await page.locator('.runway').first().waitFor();
    await page.getByText('No METAR of KBOS').waitFor();
    await page.locator('#windDirection').fill('700');
    await page.locator('#landingWeight').fill('12');
    await button.click();
    expect(await page.locator('#windDirection-problem').textContent()).toContain('must be 0 °T to 360 °T');
    expect(await page.locator('#landingWeight[aria-invalid]').count()).toBe(1);
    expect(await page.locator('#windDirection:focus').count()).toBe(1);
    expect(await problemsInEveryLook(page)).toEqual([]);
    await page.locator('#windDirection').fill('40');
    await page.locator('#landingWeight').fill('60000');
    await runSql(api.context.postgres)`UPDATE product SET max_calculation = 1 WHERE code = 'EFB_VISITORS'`;
    await button.click();
    await page.getByText(/in a day are used up\. The next is possible at \d\d:\d\d UTC\./).waitFor();
    await page.close();
  });

  test('With a revoked key the page says that it is disabled and how to enable it', async () => {
    await runSql(api.context.postgres)`UPDATE developer_key SET revoked_at = now() WHERE name = 'try'`;
    const { page, problems } = await open('/try');
    expect(await page.locator('main').textContent()).toMatch(/is off.*revoked.*TRY_DEVELOPER_KEY/s);
    expect([...(await problemsInEveryLook(page)), ...problems]).toEqual([]);
    expect((await api.fetch('/try/token')).status).toBe(404);
    await page.close();
  });
});
