import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext } from 'playwright-core';

/** Common locations; tests that need a browser are skipped without one. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const chromiumPath = places.find((path) => existsSync(path));

export const browserNote = chromiumPath === undefined ? ' (no Chromium here: Debian package chromium)' : '';

export interface TestBrowser {
  browser: Browser;
  context: BrowserContext;
  close: () => Promise<void>;
}

/** Only for events that never come: a busy machine must not fail a test. */
const limitMs = 240_000;

/** Serves all files of a worker and ends with it. */
let running: Promise<Browser> | undefined;

/** A browser without cookies and storage of other tests. */
export const startBrowser = async (): Promise<TestBrowser> => {
  running ??= chromium.launch({
    executablePath: chromiumPath ?? '',
    headless: true,
    timeout: limitMs,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const browser = await running;
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  context.setDefaultTimeout(limitMs);
  return { browser, context, close: () => context.close() };
};
