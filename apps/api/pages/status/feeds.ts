import { feedAbout } from '#domain/feeds/about.ts';
import { publicReason, clockTime } from '#domain/feeds/summary.ts';
import type { FeedStatus } from '#domain/feeds/status.ts';
import { html } from '../html.ts';
import type { Html, Insert } from '../html.ts';
import type { StatusData } from './data.ts';
import { historyBars } from './history.ts';
import { ageText, countText, sizeText } from './text.ts';

type FeedView = StatusData['feeds'][number];

const words: Readonly<Record<FeedStatus, string>> = {
  up: 'up',
  late: 'late',
  down: 'down',
  off: 'off',
  seed: 'seed',
};

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

const rowOf = (feed: FeedView, now: Date): Html => {
  const { title, text } = feedAbout(feed.feed);
  return html`<li class="feed ${feed.status}">
<div class="what"><span class="badge ${feed.status}">${words[feed.status]}</span><div><h3>${title}</h3>
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
