/// <reference lib="dom" />
/** Limits in pounds and NOTAM to be read, on the page of the calculator in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { createGuestAccount } from '#commands/users/accounts.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { newDeveloperKey } from '#platform/developer-keys.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { importAirports } from '../support/airports.ts';
import { browserNote, chromiumPath, startBrowser } from '../support/browser.ts';
import type { TestBrowser } from '../support/browser.ts';

const key = newDeveloperKey();

describe.skipIf(chromiumPath === undefined)(`limits of the calculator${browserNote}`, () => {
  let api: TestApi;
  let browser: TestBrowser;
  beforeAll(async () => {
    api = await testApi({ env: { TRY_DEVELOPER_KEY: key } });
    const { postgres, clock, config } = api.context;
    await importAirports(api.context, ['KJFK']);
    const account = { key, passwordHash: '!' };
    await postgres.transaction((tx) => createGuestAccount(tx, { clock, config }, account));
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });
  const open = async (path: string) => {
    const page = await browser.context.newPage();
    await page.goto(`${api.url}${path}`);
    return { page };
  };

  test('A weight equal to the limit published in pounds is not above it, in each kind of calculation', async () => {
    const { page } = await open('/status');
    for (const [aircraft, mslw, mstow] of [
      ['737-800-7B26', '146300', '174200'],
      ['737-700-7B24', '129200', '154500'],
    ] as const) {
      for (const mode of ['dispatch', 'inflight', 'takeoff']) {
        const limit = mode === 'takeoff' ? mstow : mslw;
        await page.goto(
          `${api.url}/try?system=imperial&mode=${mode}&aircraft=${aircraft}&airport=KJFK&runway=04L`,
        );
        await page.locator('.verdict').waitFor();
        const verdict = (await page.locator('#answer').textContent()) ?? '';
        const field = page.locator(mode === 'takeoff' ? '#takeoffWeight' : '#landingWeight');
        expect([aircraft, mode, await field.inputValue()]).toEqual([aircraft, mode, limit]);
        expect(verdict).not.toMatch(/too heavy|exceeds/i);
        const greatest =
          mode === 'inflight'
            ? ''
            : `At most ${Number(limit).toLocaleString('en')} lb, limited by the structure`;
        expect(verdict).toContain(greatest);
      }
    }
    await page.close();
  });

  test('The text of a NOTAM that must be read is shown with the result', async () => {
    const { clock, postgres } = api.context;
    const now = clock.now();
    const { records } = parseNotamTexts('!JFK 09/310 JFK RWY 04/22 CLSD 2609010000-2610010000\n', now);
    await postgres.transaction((tx) =>
      notamWrites(tx).store(records, { source: 'faa', now, isComplete: false }),
    );
    const { page } = await open('/try?airport=KJFK&runway=04L');
    await page.locator('.cautions', { hasText: 'Read NOTAM 09/310' }).waitFor();
    expect(await page.locator('.cautions').textContent()).toContain('): RWY 04/22 CLSD');
    await page.close();
  });
});
