import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';

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

export const startBrowser = async (): Promise<TestBrowser> => {
  const folder = mkdtempSync(join(tmpdir(), 'efb-browser-'));
  const context = await chromium.launchPersistentContext(folder, {
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
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
