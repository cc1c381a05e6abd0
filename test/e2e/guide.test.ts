/// <reference lib="dom" />
/**
 * Every call that the pages of the guide show is made, and its answer compared with the shown one: status, fields and
 * their types. `UPDATE_EXAMPLES=1 npx vitest run test/e2e/guide.test.ts` writes the values of this run into the pages.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulated } from '#test/support/simulated.ts';
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { tafWrites } from '#store/postgres/weather/reports.ts';
import { pageNames, sourceOf, writtenOrigin } from '#api/pages/docs/pages.ts';
import { referencePagesOf } from '#api/pages/docs/reference.ts';
import { loadRegistries } from '#api/registry.ts';
import { importAirports } from '../support/airports.ts';
import {
  blocksOf,
  callOf,
  commandsOf,
  compactJson,
  differences,
  renewed,
  valueAt,
} from '../support/guide.ts';
import type { Block, Variables } from '../support/guide.ts';
import { problemsInEveryLook, watchProblems } from '../support/axe.ts';
import { bareEnvironment } from '../support/process.ts';
import { browserNote, chromiumPath, startBrowser } from '../support/browser.ts';
import { ops } from '../support/ops.ts';
import { subscriptionScene } from '../support/subscriptions.ts';
import type { SubscriptionScene } from '../support/subscriptions.ts';

const isUpdate = Boolean(process.env['UPDATE_EXAMPLES']);
const folder = join(import.meta.dirname, '../../docs/guide');

/** The elements that make a page scroll sideways; empty when it does not. */
const beyondEdge = (): string[] => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth,
  );
  return [
    `${scrollWidth} of ${clientWidth} px`,
    ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 80)),
  ];
};

/** A page of the reference that, with the overview, has every kind of element that any page of it has. */
const shortReference = 'navdata';

/** The elements of a page, each with its parent and its classes. */
const kindsIn = (html: string): Set<string> => {
  const open: string[] = [];
  const kinds = new Set<string>();
  for (const [, end, tag = '', attributes = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s[^>]*)?)>/g)) {
    if (end) open.pop();
    else {
      const kind = `${tag}${/ class="([^"]*)"/.exec(attributes)?.[1] ?? ''}`;
      kinds.add(`${open.at(-1) ?? ''}>${kind}`);
      if (!/^(?:meta|link|br|hr|img|input)$/.test(tag)) open.push(kind);
    }
  }
  return kinds;
};

let planner: Awaited<ReturnType<typeof startSimulated>>;
let scene: SubscriptionScene;
beforeAll(async () => {
  planner = await startSimulated();
  scene = await subscriptionScene({ PLANNER_URL: `${planner.origin}/xml.fetcher.php` });
  const { context } = scene.api;
  await importAirports(context, ['KJFK', 'KBOS']);
  const now = context.clock.now();
  await context.postgres.transaction(async (tx) => {
    const raw = 'METAR KJFK 161151Z 03012G20KT 10SM -RA BKN030 12/09 A3002 RMK AO2';
    await metarWrites(tx).store(
      [{ icao: 'KJFK', observedAt: '2026-09-16T11:51:00.000Z', raw, source: 'AWC' }],
      now,
    );
    const taf = {
      icao: 'KJFK',
      issuedAt: '2026-09-16T11:20:00.000Z',
      validFrom: '2026-09-16T12:00:00.000Z',
      validTo: '2026-09-17T18:00:00.000Z',
      raw: 'TAF KJFK 161120Z 1612/1718 03010KT P6SM BKN030',
      source: 'AWC',
    } as const;
    await tafWrites(tx).store([taf], now);
  });
});
afterAll(async () => {
  await scene.close();
  await planner.close();
});

interface Result {
  status: number;
  body: unknown;
}

/** Shell variables, which later pages use, too. */
const variables: Variables = new Map();
let calls = 0;

/** Runs one command; an assignment takes its value from the last answer. */
const run = async (
  words: readonly string[],
  last: { shown: unknown; body: unknown },
): Promise<Result | null> => {
  const [command = ''] = words;
  const [, name, text] = /^(\w+)=(.*)$/s.exec(command) ?? [];
  if (name !== undefined && text !== undefined) {
    const value = text.includes('…') ? valueAt(last.shown, last.body, text) : text;
    if (value === undefined) throw new Error(`${name}: the last answer does not show ${text}`);
    variables.set(name, value);
    return null;
  }
  calls += 1;
  if (command === 'curl') {
    const { url, init } = callOf(words);
    const response = await fetch(url.replace(writtenOrigin, scene.api.url), init);
    const body = await response.text();
    return {
      status: response.status,
      body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(body) : body,
    };
  }
  if (words.slice(0, 5).join(' ') !== 'npm run -s ops --') throw new Error(`cannot run ${words.join(' ')}`);
  const { status, json, err } = await ops(scene.api.context, '', ...words.slice(5));
  if (status !== 0) throw new Error(err);
  return { status: 200, body: json };
};

/** A program's output; null without its interpreter. */
const printedBy = async (kind: 'python' | 'ts', text: string): Promise<unknown> => {
  const source = text.replace(writtenOrigin, scene.api.url);
  const [program, ...given] =
    kind === 'python'
      ? ['python3', '-c', source]
      : [process.execPath, '--input-type=module-typescript', '-e', source];
  const env = { ...bareEnvironment(), ...Object.fromEntries(variables) };
  try {
    return JSON.parse((await promisify(execFile)(program, given, { env, maxBuffer: 2 ** 24 })).stdout);
  } catch (error) {
    if (kind === 'python' && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const inside = (block: Block, text: string, lines: string[]): void => {
  lines.splice(block.from, block.to - block.from, ...text.split('\n'));
};

describe('the guide', () => {
  test.each(pageNames)('Every call on the page %s gets the answer that it shows', async (name) => {
    const source = await sourceOf(name);
    const blocks = blocksOf(source);
    const updates: [Block, string][] = [];
    /** Differences in the output of programs. */
    const printed: string[] = [];
    let last: { shown: unknown; body: unknown } = { shown: null, body: null };
    for (const [i, block] of blocks.entries()) {
      if (block.kind === 'json') continue;
      if (block.kind !== 'sh') {
        printed.push(...differences(last.shown, (await printedBy(block.kind, block.text)) ?? last.shown));
        continue;
      }
      const shown = blocks[i + 1]?.kind === 'json' ? blocks[i + 1] : undefined;
      const commands = commandsOf(block.text, variables);
      for (const [at, words] of commands.entries()) {
        const result = await run(words, last);
        if (!result) continue;
        const expected = at === commands.length - 1 ? shown : undefined;
        expect([words.join(' '), result.status, result.body]).toEqual([
          words.join(' '),
          expected?.status ?? 200,
          expect.anything(),
        ]);
        if (!expected) continue;
        const answer: unknown = JSON.parse(expected.text);
        const values = isUpdate ? renewed(answer, result.body) : answer;
        expect(differences(values, result.body)).toEqual([]);
        if (isUpdate) updates.push([expected, compactJson(values)]);
        last = { shown: values, body: result.body };
      }
    }
    expect(printed).toEqual([]);
    const lines = source.split('\n');
    for (const [block, text] of updates.toReversed()) inside(block, text, lines);
    if (updates.length > 0 && name !== 'errors')
      await writeFile(join(folder, `${name}.md`), lines.join('\n'));
  });

  test.skipIf(chromiumPath === undefined)(
    `The pages and the reference have no accessibility errors in Chromium, light and dark, on desktop and phone${browserNote}`,
    async () => {
      const { url } = scene.api;
      const { context, close } = await startBrowser();
      try {
        const page = await context.newPage();
        const problems = watchProblems(page, url);
        // The other pages of the reference are made of the same elements, see below.
        for (const name of [
          'guide/first-landing',
          'guide/errors',
          'search?q=runway',
          '',
          `reference/${shortReference}`,
        ]) {
          await page.goto(`${url}/docs/${name}`);
          expect([name, await problemsInEveryLook(page)]).toEqual([name, []]);
        }
        expect(problems).toEqual([]);
        for (const name of ['weather', 'users', 'performance']) {
          await page.goto(`${url}/docs/reference/${name}`);
          for (const width of [1_400, 390]) {
            await page.setViewportSize({ width, height: 900 });
            expect([name, width, await page.evaluate(beyondEdge)]).toEqual([name, width, []]);
          }
        }
        expect(await page.locator('main h2').allTextContents()).toEqual([
          'performance',
          'performanceAirport',
          'performanceGet',
          'performanceHistory',
        ]);
        expect(await page.locator('script').count()).toBe(0);
        expect(problems).toEqual([]);
      } finally {
        await close();
      }
    },
  );

  test('Pages have calls, and no page has a dead link', async () => {
    expect(calls).toBeGreaterThan(20);
    const broken: string[] = [];
    const seen = new Map<string, Promise<{ status: number; text: string }>>();
    const load = (path: string) => {
      const known =
        seen.get(path) ??
        scene.api
          .fetch(path, { headers: { accept: 'text/html' } })
          .then(async (response) => ({ status: response.status, text: await response.text() }));
      seen.set(path, known);
      return known;
    };
    const references = referencePagesOf((await loadRegistries()).queries);
    for (const path of [
      ...pageNames.map((name) => `/docs/guide/${name}`),
      '/docs',
      ...references.map(({ name }) => `/docs/reference/${name}`),
    ]) {
      const { status, text } = await load(path);
      expect([path, status]).toEqual([path, 200]);
      for (const [, href = ''] of text.matchAll(/ href="([^"]+)"/g)) {
        if (/^(?:https?|data):/.test(href)) continue;
        const { pathname, hash } = new URL(href, `${scene.api.url}${path}`);
        const target = await load(pathname);
        const isThere = hash === '' || target.text.includes(` id="${decodeURIComponent(hash.slice(1))}"`);
        if (target.status !== 200 || !isThere) broken.push(`${path}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
    for (const name of ['guide/nothing', 'reference/nothing', 'reference/constructor'])
      expect((await scene.api.fetch(`/docs/${name}`)).status).toBe(404);
    const checked = [`/docs/reference/${shortReference}`, '/docs'].map(
      async (path) => (await load(path)).text,
    );
    const kinds = kindsIn((await Promise.all(checked)).join(''));
    for (const { name, operations } of references) {
      const { text } = await load(`/docs/reference/${name}`);
      expect([name, [...kindsIn(text).difference(kinds)]]).toEqual([name, []]);
      // Every query has a section that states its requirements.
      for (const operation of operations)
        expect(text).toContain(`<h2 id="${operation.name.toLowerCase()}">${operation.name}</h2>`);
    }
    const { text: navdata } = await load('/docs/reference/navdata');
    expect(navdata).toContain(
      'Needs a user token, a developer key with <code>efb</code> sent with the call itself, subscription level 1',
    );
    // What is not a query is on the page of its resource, too.
    const { text: library } = await load('/docs/reference/library');
    expect(library).toContain('<h2 id="uploadpiece">uploadPiece</h2>');
    expect(library).toContain('<code>PATCH /api/uploads/{uploadId}</code>');
    expect((await scene.api.fetch('/status/constructor')).status).toBe(404);
  });
});
