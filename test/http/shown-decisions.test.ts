/** What operators decide at the console is what they were shown. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { consoleScene, signedIn } from '../support/console.ts';
import type { ConsoleScene, OperatorAtConsole } from '../support/console.ts';
import { ops } from '../support/ops.ts';

let api: TestApi;
let scene: ConsoleScene;
let ada: OperatorAtConsole;
beforeAll(async () => {
  api = await testApi();
  scene = await consoleScene(api);
  ada = await signedIn(api, 'ada');
});
afterAll(() => api.close());

interface Decision {
  /** Page of the one thing. */
  page: () => string;
  path: string;
  /** Besides the flag that names it. */
  more?: Record<string, string>;
  meanwhile: () => Promise<unknown>;
}

const run = (text: ReturnType<typeof sql>) => api.context.postgres.transaction((tx) => tx.run(text));
const subscription = () => `/subscription/show?id=${scene.subscriptionId}`;
const extended = () => ops(api.context, `subscription extend --days 1 --id ${scene.subscriptionId}`);
const renamed = () =>
  ops(api.context, 'va update --va', 'Northern Test', '--website', 'https://other.example');

const decisions: readonly Decision[] = [
  { page: subscription, path: '/subscription/extend', more: { days: '3' }, meanwhile: extended },
  {
    page: subscription,
    path: '/subscription/cancel',
    meanwhile: () => run(sql`UPDATE subscription SET auto_renew = true WHERE id = ${scene.subscriptionId}`),
  },
  {
    page: () => `/report/show?id=${scene.reportId}`,
    path: '/report/close',
    meanwhile: () => run(sql`UPDATE problem_report SET severity = 'LOW' WHERE id = ${scene.reportId}`),
  },
  {
    page: () => `/checklist/show?id=${scene.checklistId}`,
    path: '/checklist/unshare',
    meanwhile: () => run(sql`UPDATE checklist SET revision = revision + 1 WHERE id = ${scene.checklistId}`),
  },
  {
    page: () => `/user/show?email=${scene.pilot.email}`,
    path: '/user/gift',
    more: { calculations: '5' },
    meanwhile: () => ops(api.context, `user gift --calculations 1 --email ${scene.pilot.email}`),
  },
  {
    page: () => '/product/show?code=EFB_PRO_M',
    path: '/product/update',
    more: { title: 'Pro' },
    meanwhile: () => ops(api.context, 'product update --code EFB_PRO_M --max-checklists 77'),
  },
  {
    page: () => '/devkey/show?id=1',
    path: '/devkey/update',
    more: { permissions: 'weather' },
    meanwhile: () => run(sql`UPDATE developer_key SET name = 'Exchanged' WHERE id = 1`),
  },
  {
    page: () => '/va/show?va=Northern+Test',
    path: '/va/update',
    more: { website: 'https://third.example' },
    meanwhile: renamed,
  },
];

test.each(decisions)(
  '$path of what has changed since its page was loaded is refused, of two at once the second (G-05)',
  async ({ page, path, more = {}, meanwhile }) => {
    const [, query = ''] = page().split('?');
    const given = { ...Object.fromEntries(new URLSearchParams(query)), ...more };
    /** In the form on the page, or on the page of the form to which it links. */
    const shownNow = async () => {
      const { text } = await ada.get(page());
      const link = new RegExp(`href="/console(${path}\\?[^"]*)"`).exec(text)?.[1];
      const form = link === undefined ? text : (await ada.get(link.replaceAll('&#38;', '&'))).text;
      const [, fields = ''] = form.split(`action="/console${path}"`);
      return /name="seen" value="([^"]{43})"/.exec(fields.slice(0, fields.indexOf('</form>')))?.[1] ?? 'none';
    };
    const seen = await shownNow();
    await meanwhile();
    const late = await ada.post(path, { ...given, seen });
    const isSaid = late.text.includes('has changed since the page was loaded');
    expect([late.status, isSaid]).toEqual([409, true]);
    const again = { ...given, seen: await shownNow() };
    const both = await Promise.all([ada.post(path, again), ada.post(path, again)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409]);
  },
);
