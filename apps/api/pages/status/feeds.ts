import { feedAbout } from '#domain/feeds/about.ts';
import { publicReason, clockTime } from '#domain/feeds/summary.ts';
import type { FeedStatus } from '#domain/feeds/status.ts';
import { html } from '../html.ts';
import type { Html, Insert } from '../html.ts';
import type { FeedHour } from '#store/postgres/feeds/status.ts';
import type { StatusData } from './data.ts';
import { ageText, countText, sizeText } from './text.ts';

type FeedView = StatusData['feeds'][number];

const successOf = ({ lastSuccessAt, seedDate, status }: FeedView, now: Date): Insert => {
  if (lastSuccessAt)
    return html`${ageText(lastSuccessAt, now)} <small>${clockTime(lastSuccessAt, now)}</small>`;
  if (seedDate !== null) return html`never <small>seed of ${seedDate}</small>`;
  return status === 'off' ? html`– <small>no source is configured</small>` : 'never';
};

const failureOf = ({ lastFailureAt, lastFailure, lastError }: FeedView, now: Date): Html => {
  if (!lastFailureAt || lastFailure === null) return html`<span class="quiet">none</span>`;
  const reason = publicReason(lastFailure);
  const when = html`${ageText(lastFailureAt, now)} <small>${clockTime(lastFailureAt, now)}</small>`;
  return html`<span class="${lastError === null ? 'quiet' : 'bad'}">${when}</span><span class="reason">${reason}</span>`;
};

const sizeOf = ({ records, bytes }: FeedView): string => {
  if (records === null) return '';
  const size = bytes === null || bytes === 0 ? '' : `, ${sizeText(bytes)}`;
  return ` · ${countText(records)} records${size}`;
};

const noticeOf = ({ notice }: FeedView): Insert =>
  notice !== null && html`<p class="hint">${publicReason(notice)}</p>`;

// The last day as bars.

const hours = 24;
const stepPx = 7;
const barPx = 5;
const heightPx = 26;
const emptyPx = 4;

const stateOf = ({ succeeded, failed }: FeedHour): 'good' | 'mixed' | 'bad' => {
  if (failed === 0) return 'good';
  return succeeded === 0 ? 'bad' : 'mixed';
};

const textOf = (hour: FeedHour): string => {
  const total = hour.succeeded + hour.failed;
  return `${hour.succeeded} of ${total} ${total === 1 ? 'run' : 'runs'} succeeded`;
};

const timeOf = (hour: number, now: Date): string =>
  new Date(now.getTime() - (hours - hour) * 3_600_000).toISOString().slice(11, 16);

const barOf = (index: number, found: FeedHour | undefined, now: Date): Html => {
  const height = found ? heightPx : emptyPx;
  const title = `from ${timeOf(index, now)} to ${timeOf(index + 1, now)} UTC: ${found ? textOf(found) : 'no run'}`;
  return html`<rect class="${found ? stateOf(found) : 'none'}" x="${index * stepPx}" y="${heightPx - height}" width="${barPx}" height="${height}" rx="1.5"><title>${title}</title></rect>`;
};

/** The last 24 hours of a feed as bars, oldest first: all runs succeeded, some, none, or no runs. */
const historyBars = (found: readonly FeedHour[], now: Date): Html => {
  const byHour = new Map(found.map((hour) => [hour.hour, hour]));
  const failed = found.reduce((sum, hour) => sum + hour.failed, 0);
  const runs = found.reduce((sum, hour) => sum + hour.succeeded + hour.failed, 0);
  const label = `${runs - failed} of ${runs} runs of the last 24 hours succeeded`;
  const bars = Array.from({ length: hours }, (_, index) => barOf(index, byHour.get(index), now));
  return html`<svg class="bars" viewBox="0 0 ${hours * stepPx - 2} ${heightPx}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>`;
};

const rowOf = (feed: FeedView, now: Date): Html => {
  const { title, text } = feedAbout(feed.feed);
  return html`<li class="feed ${feed.status}">
<div class="what"><span class="badge ${feed.status}">${feed.status}</span><div><h3>${title}</h3>
<p>${text}${sizeOf(feed)}</p>${noticeOf(feed)}</div></div>
<div class="past">${historyBars(feed.history, now)}</div>
<dl><dt>Last success</dt><dd>${successOf(feed, now)}</dd></dl>
<dl><dt>Last failure</dt><dd>${failureOf(feed, now)}</dd></dl>
</li>\n`;
};

const order: readonly FeedStatus[] = ['down', 'late', 'seed', 'up', 'off'];

/** All feeds, those with problems first. */
export const feedList = ({ feeds, now }: StatusData): Insert => {
  if (feeds.length === 0) return '';
  const sorted = feeds.toSorted(
    (a, b) =>
      order.indexOf(a.status) - order.indexOf(b.status) ||
      feedAbout(a.feed).title.localeCompare(feedAbout(b.feed).title),
  );
  return html`<section aria-labelledby="feeds"><h2 id="feeds">Feeds</h2>
<p class="hint">Bars: the last 24 hours, one an hour, the newest on the right.</p>
<ul class="feeds">${sorted.map((feed) => rowOf(feed, now))}</ul></section>`;
};
