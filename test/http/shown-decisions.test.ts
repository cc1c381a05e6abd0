/** Operators at the console can only decide on the state that they were shown. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { consoleScene, seenOn, signedIn } from '../support/console.ts';
import type { ConsoleScene, OperatorAtConsole } from '../support/console.ts';
import { ops, opsOn } from '../support/ops.ts';
import { runSql } from '../support/sql.ts';
import { nouns } from '#operator/nouns.ts';

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
  /** Page of the entity, or of a list that contains its row. */
  page: () => string;
  path: string;
  /** The flags that name the row in a list. */
  row?: () => Record<string, string>;
  /** Flags besides those that name the entity. */
  more?: Record<string, string>;
  meanwhile: () => Promise<unknown>;
}

const run = (text: ReturnType<typeof sql>) => api.context.postgres.transaction((tx) => tx.run(text));
const asking = () => ({ id: String(scene.askingIds[0]) });
const checklistReport = () => ({ id: '1' });
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
    page: () => '/checklist/reports',
    path: '/checklist/dismiss',
    row: checklistReport,
    meanwhile: () => run(sql`UPDATE checklist SET revision = revision + 1 WHERE id = ${scene.checklistId}`),
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
    more: { library: 'no' },
    meanwhile: () => run(sql`UPDATE developer_key SET name = 'Exchanged' WHERE id = 1`),
  },
  {
    page: () => '/va/show?va=Northern+Test',
    path: '/va/update',
    more: { website: 'https://third.example' },
    meanwhile: renamed,
  },
  {
    page: () => '/devkey/requests',
    path: '/devkey/grant',
    row: asking,
    meanwhile: () =>
      run(sql`UPDATE developer_key SET request_reason = 'Another' WHERE id = ${scene.askingIds[0]}`),
  },
  {
    page: () => '/announcement/list',
    path: '/announcement/withdraw',
    row: () => ({ id: '1' }),
    meanwhile: () => run(sql`UPDATE announcement SET title = 'Another' WHERE id = 1`),
  },
  {
    page: () => '/va/member/list?va=Northern+Test',
    path: '/va/member/remove',
    row: () => ({ va: 'Northern Test', email: scene.pilot.email }),
    meanwhile: () =>
      ops(api.context, `va member add --active --email ${scene.pilot.email} --va`, 'Northern Test'),
  },
];

test.each(decisions)(
  '$path is refused if the row has changed since its page was loaded, and the second of two simultaneous calls is refused (G-05)',
  async ({ page, path, row, more = {}, meanwhile }) => {
    const [, query = ''] = page().split('?');
    const named = row?.() ?? Object.fromEntries(new URLSearchParams(query));
    const given = { ...named, ...more };
    const [name = '', value = ''] = Object.entries(named).at(-1) ?? [];
    /** In the form on the page, or on the page of the form to which it links. */
    const shownNow = async () => {
      const { text } = await ada.get(page());
      const link = new RegExp(`href="/console(${path}\\?[^"]*)"`).exec(text)?.[1];
      const form = link === undefined ? text : (await ada.get(link.replaceAll('&#38;', '&'))).text;
      return seenOn(form, path, link === undefined ? `name="${name}" value="${value}"` : '') ?? 'none';
    };
    const seen = await shownNow();
    await meanwhile();
    const late = await ada.post(path, { ...given, seen });
    const isSaid = late.text.includes('has changed since it was shown');
    expect([late.status, isSaid]).toEqual([409, true]);
    const again = { ...given, seen: await shownNow() };
    const both = await Promise.all([ada.post(path, again), ada.post(path, again)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409]);
  },
);

/** Verbs that create, import, or queue a run, and so have no row to compare. */
const withoutRow = [
  'airport import',
  'announcement publish',
  'backup',
  'console token',
  'devkey create',
  'endpoint add',
  'feeds run',
  'jobs discard',
  'jobs retry',
  'library put',
  'product create',
  'promo create',
  'secrets rotate',
  'subscription grant',
  'subscription sign',
  'user create',
  'user grant',
  'va create',
];

test('Every other operator verb names the row that is compared with the shown one (G-05)', () => {
  const found = nouns.flatMap(({ name, verbs }) =>
    Object.entries(verbs).flatMap(([path, { type, flags }]) =>
      type === 'view' || type === 'lone' || Object.values(flags).some(({ row }) => row)
        ? []
        : [`${name} ${path}`.trim()],
    ),
  );
  expect(found.toSorted()).toEqual(withoutRow);
});

test('A command-line decision applies to the row shown, and a script passes on what it was shown (G-05)', async () => {
  const id = scene.askingIds[1] ?? 0;
  const grant = `devkey grant --id ${id}`;
  const exchange = (reason: string) =>
    runSql(api.context.postgres)`UPDATE developer_key SET request_reason = ${reason} WHERE id = ${id}`;
  const asked: string[] = [];
  const answering = (meanwhile: () => Promise<unknown>) => ({
    ask: async (label: string) => {
      asked.push(label);
      await meanwhile();
      return 'yes';
    },
  });
  const late = await opsOn(
    answering(() => exchange('Another')),
    api.context,
    grant,
  );
  expect([late.status, late.err.includes('has changed since it was shown')]).toEqual([1, true]);
  expect(asked[0]).toMatch(
    /requested_permissions +.*FULL[^]*Grants the permissions that an application requests/,
  );
  const script = await ops(api.context, grant);
  const seen = /--seen (\S{64})$/.exec(script.err)?.[1];
  expect([script.status, seen?.length]).toEqual([2, 64]);
  await exchange('A third');
  expect((await ops(api.context, `${grant} --seen ${seen}`)).status).toBe(1);
  const asIs = answering(() => Promise.resolve());
  expect((await opsOn(asIs, api.context, grant)).status).toBe(0);
  const rewritten = () => ops(api.context, 'va update --website https://fifth.example --va', 'Northern Test');
  const deleted = await opsOn(answering(rewritten), api.context, 'va delete --va', 'Northern Test');
  expect([deleted.status, deleted.err.includes('has changed since it was shown')]).toEqual([1, true]);
});
