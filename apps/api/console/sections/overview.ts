/** What waits for an operator, each with its page, and any call by its log id. */
import { z } from 'zod';
import { checklistReportRepo } from '#data/postgres/checklists/reports.ts';
import { applicationRepo } from '#data/postgres/developer-keys/applications.ts';
import { feedStatusRepo } from '#data/postgres/feeds/status.ts';
import { problemReportRepo } from '#data/postgres/reports/reports.ts';
import { requestLogRepo } from '#data/postgres/requests/log.ts';
import { gatewayBacklogRepo } from '#data/postgres/subscriptions/gateway-backlog.ts';
import { DomainError } from '#domain/errors.ts';
import { loggedCall } from '../logged-call.ts';
import { consolePage, defineSection } from '../define.ts';
import type { ConsoleTools } from '../define.ts';
import { html } from '../../pages/html.ts';
import { badge, searchForm, table } from '../../site/parts.ts';

const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0);

const waitingOf = async ({
  db,
  queues,
  now,
}: ConsoleTools): Promise<[what: string, count: number, path: string][]> => {
  const feeds = await feedStatusRepo(db).reports(now);
  const jobs = await (await queues()).counts();
  const gateways = await gatewayBacklogRepo(db).of(now);
  return [
    [
      'Feeds that are not up',
      feeds.filter(({ status }) => status !== 'up' && status !== 'off').length,
      '/feeds',
    ],
    ['Jobs that failed for good', sum(jobs.map(({ dead }) => dead)), '/queues'],
    ['Requests for permissions', (await applicationRepo(db).requests()).length, '/keys'],
    ['Problem reports', (await problemReportRepo(db).list(false)).length, '/reports'],
    ['Reports of checklists', (await checklistReportRepo(db).list(false)).length, '/checklists'],
    [
      'Messages of payment gateways without an account or a product',
      sum(gateways.map(({ parkedMessages }) => parkedMessages)),
      '/subscriptions/messages?state=parked',
    ],
    [
      'Orders that payment gateways refused in the last week',
      sum(gateways.map(({ refusedOrders }) => refusedOrders)),
      '/subscriptions',
    ],
  ];
};

const overview = consolePage('/overview', z.object({}), async (tools) => {
  const waiting = (await waitingOf(tools)).filter(([, count]) => count > 0);
  const rows = waiting.map(([what, count, path]) => [
    html`<a href="/console${path}">${what}</a>`,
    badge('late', String(count)),
  ]);
  return {
    title: 'Overview',
    main: html`${rows.length === 0 ? html`<p>Nothing waits for you.</p>` : table('What waits', ['What waits', 'How many'], rows)}
        <h2>A call</h2>
        <p class="hint">By its log id, which answers have in <code>X-SVC-Log-Id</code>.</p>
        ${searchForm('/overview/call', 'Log id', '')}`,
  };
});

const call = consolePage(
  '/overview/call',
  z.object({ search: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  async ({ db }, { search: id }) => {
    const found = await requestLogRepo(db).byId(id);
    if (!found) throw new DomainError('NOT_FOUND', {}, `No call ${id} is kept.`);
    return { title: `Call ${id}`, main: loggedCall(found) };
  },
);

export default defineSection({
  name: 'overview',
  label: 'Overview',
  order: 0,
  pages: [overview, call],
  actions: [],
});
