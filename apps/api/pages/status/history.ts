import type { FeedHour } from '#store/postgres/feeds/status.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';

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
export const historyBars = (found: readonly FeedHour[], now: Date): Html => {
  const byHour = new Map(found.map((hour) => [hour.hour, hour]));
  const failed = found.reduce((sum, hour) => sum + hour.failed, 0);
  const runs = found.reduce((sum, hour) => sum + hour.succeeded + hour.failed, 0);
  const label = `${runs - failed} of ${runs} runs of the last 24 hours succeeded`;
  const bars = Array.from({ length: hours }, (_, index) => barOf(index, byHour.get(index), now));
  return html`<svg class="bars" viewBox="0 0 ${hours * stepPx - 2} ${heightPx}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>`;
};
