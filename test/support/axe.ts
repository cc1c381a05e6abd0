/// <reference lib="dom" />
/** Defects of a page for people: accessibility violations, console errors, outside requests, sideways scroll. */
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { isDeep } from './deep.ts';

/** Rules about colours: checked in light and dark, and at each width, since other parts are visible. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Rules that depend on the width: scrolling, and what media queries hide or show. */
const widthRules = [
  'aria-hidden-focus',
  'bypass',
  'empty-heading',
  'heading-order',
  'label',
  'landmark-one-main',
  'page-has-heading-one',
  'region',
  'scrollable-region-focusable',
  'skip-link',
];

/** Runs axe-core on the page in its current state, with all or the named rules; one line per violation. */
export const violationsOf = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  // Through the debugger, which the page's content security policy allows.
  const session = await page.context().newCDPSession(page);
  try {
    const has = await session.send('Runtime.evaluate', { expression: "typeof axe === 'object'" });
    if (has.result.value !== true) await session.send('Runtime.evaluate', { expression: axe.source });
    const options = { resultTypes: ['violations'], ...(rules ? { runOnly: [...rules] } : {}) };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: `axe.run(document, ${JSON.stringify(options)})`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return (result.value as AxeResults).violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${help}: ${target.join(' ')} ${any[0]?.message ?? ''}`.trim()),
    );
  } finally {
    await session.detach();
  }
};

/** Collects console errors and warnings, exceptions, requests to other origins and failed responses from now on. */
export const watchProblems = (page: Page, origin: string): string[] => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) problems.push(`outside: ${url}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return problems;
};

export interface Look {
  scheme: 'light' | 'dark';
  widthPx: number;
  /** All if absent. */
  rules?: readonly string[];
}

/** Desktop and phone, each with the rules whose result can differ from the looks before; in `npm run test:deep` each in light and dark. */
const looks: readonly Look[] = isDeep
  ? [
      { scheme: 'light', widthPx: 1_400 },
      { scheme: 'light', widthPx: 390, rules: [...colourRules, ...widthRules] },
      { scheme: 'dark', widthPx: 1_400, rules: colourRules },
      { scheme: 'dark', widthPx: 390, rules: colourRules },
    ]
  : [
      { scheme: 'light', widthPx: 1_400 },
      { scheme: 'dark', widthPx: 390, rules: [...colourRules, ...widthRules] },
    ];

/**
 * Shows a loaded page in every look, runs `check`, and returns violations and sideways scroll with their look. The page
 * stays open in the last look, on a phone.
 */
export const problemsInEveryLook = async (
  page: Page,
  check: (look: Look) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> => {
  const found: string[] = [];
  for (const look of looks) {
    const name = `${look.scheme}, ${look.widthPx} px`;
    await page.setViewportSize({ width: look.widthPx, height: 900 });
    await page.emulateMedia({ colorScheme: look.scheme });
    await check(look);
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    if (scrollWidth > look.widthPx) found.push(`${name}: scrolls sideways, ${scrollWidth} px wide`);
    found.push(...(await violationsOf(page, look.rules)).map((line) => `${name}: ${line}`));
  }
  return found;
};
