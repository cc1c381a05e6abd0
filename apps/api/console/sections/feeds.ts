/** Feeds: state, history, errors in full, and a run now. */
import { z } from 'zod';
import { feedRepo } from '#data/postgres/feeds/feeds.ts';
import type { FeedRunRow } from '#data/postgres/feeds/feeds.ts';
import { feedStatusRepo } from '#data/postgres/feeds/status.ts';
import type { FeedReport } from '#data/postgres/feeds/status.ts';
import { DomainError } from '#domain/errors.ts';
import { feedAbout } from '#domain/feeds/about.ts';
import { countText, sizeText } from '../../pages/status/text.ts';
import { runFeedVerb } from '#operator/feeds.ts';
import { actionOf, consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import { badge, button, facts, orDash, table, time } from '../../site/parts.ts';

const feedNameSchema = z.string().min(1).max(100);
const maxRuns = 100;

const runButton = (feed: string, formToken: string, isPlain = false) =>
  button('Run now', { formToken, action: '/feeds/run', fields: { feed }, about: feed, isPlain });

const sizeOf = ({ records, bytes }: FeedReport): string =>
  records === null ? '' : `${countText(records)} records${bytes === null ? '' : `, ${sizeText(bytes)}`}`;

const list = consolePage('/feeds', z.object({}), async ({ db, now, formToken }) => {
  const reports = await feedStatusRepo(db).reports(now);
  const rows = reports.map((report) => [
    html`<a href="/console/feeds/show?feed=${encodeURIComponent(report.feed)}"
          >${feedAbout(report.feed).title}</a
        ><small>${report.feed}</small>`,
    badge(report.status, report.status),
    time(report.lastSuccessAt),
    time(report.lastRunAt),
    orDash(sizeOf(report)),
    report.lastError === null ? orDash(null) : html`<span class="bad cut">${report.lastError}</span>`,
    report.status !== 'off' && runButton(report.feed, formToken, true),
  ]);
  return {
    title: 'Feeds',
    main: table('Feeds', ['Feed', 'State', 'Last success', 'Last run', 'Stored', 'Error', ''], rows),
  };
});

const outcomeOf = ({ ok, notModified, finishedAt }: FeedRunRow) => {
  if (finishedAt === null || ok === null) return badge('seed', 'running');
  if (!ok) return badge('down', 'failed');
  return notModified ? badge('off', 'same') : badge('up', 'stored');
};

const secondsOf = ({ startedAt, finishedAt }: FeedRunRow): string =>
  finishedAt === null ? '' : `${((finishedAt.getTime() - startedAt.getTime()) / 1_000).toFixed(1)}\u00a0s`;

const show = consolePage(
  '/feeds/show',
  z.object({ feed: feedNameSchema }),
  async ({ db, now, formToken }, { feed }) => {
    const report = (await feedStatusRepo(db).reports(now)).find((each) => each.feed === feed);
    if (!report) throw new DomainError('NOT_FOUND', {}, `There is no feed ${feed}.`);
    const state = await feedRepo(db).state(feed);
    const runs = await feedRepo(db).runs(feed, maxRuns);
    const { title, text } = feedAbout(feed);
    const rows = runs.map((run) => [
      time(run.startedAt),
      time(run.slot),
      outcomeOf(run),
      orDash(secondsOf(run)),
      orDash(run.stored),
      orDash(run.rejected),
      run.error === null ? orDash(run.source) : html`<pre>${run.error}</pre>`,
    ]);
    return {
      title,
      main: html`<p class="hint">${text}</p>
        ${facts([
          ['State', badge(report.status, report.status)],
          ['Schedule (UTC)', html`<code>${report.schedule}</code>`],
          ['Last success', time(report.lastSuccessAt)],
          ['Last change', time(report.lastChangeAt)],
          ['Failures in a row', report.consecutiveFailures],
          ['Paused until', time(state?.retryAt)],
        ])}
        ${report.status !== 'off' && html`<div class="actions">${runButton(feed, formToken)}</div>`}
        ${
          report.lastFailure !== null &&
          html`<h2>Last failure, ${time(report.lastFailureAt)}</h2>
            <pre class="error">${report.lastFailure}</pre>`
        }
        <h2>Runs</h2>
        ${table('Runs', ['Started', 'Slot', 'Outcome', 'Took', 'Stored', 'Rejected', 'Error or source'], rows)}`,
    };
  },
);

const run = actionOf(runFeedVerb, { path: '/feeds/run', audit: 'feeds run', to: '/feeds/show', by: 'feed' });

export default defineSection({
  name: 'feeds',
  label: 'Feeds',
  order: 1,
  pages: [list, show],
  actions: [run],
});
