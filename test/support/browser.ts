import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';
import { testFolder } from '../harness.ts';

/** Common locations; tests that need a browser are skipped without one. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const chromiumPath = places.find((path) => existsSync(path));

export const browserNote = chromiumPath === undefined ? ' (no Chromium here: Debian package chromium)' : '';

export interface TestBrowser {
  context: BrowserContext;
  close: () => Promise<void>;
}

/** Only for events that never come: a busy machine must not fail a test. */
const limitMs = 240_000;

/** Persistent, since pages in a private context take a third more CPU. */
const launch = async (): Promise<BrowserContext> => {
  const context = await chromium.launchPersistentContext(await testFolder(), {
    executablePath: chromiumPath ?? '',
    headless: true,
    timeout: limitMs,
    viewport: { width: 1024, height: 768 },
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
  context.setDefaultTimeout(limitMs);
  return context;
};

/** Serves all files of a worker, one after the other, and ends with it. */
let running: Promise<BrowserContext> | undefined;

export const startBrowser = async (): Promise<TestBrowser> => {
  running ??= launch();
  const context = await running;
  return {
    context,
    close: async () => {
      // Without its first page it would end.
      for (const page of context.pages().slice(1)) await page.close();
      await context.clearCookies();
      await context.clearPermissions();
    },
  };
};
