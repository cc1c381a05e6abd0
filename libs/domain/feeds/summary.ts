import { feedAbout } from './about.ts';
import type { FeedStatus } from './status.ts';

export interface SummarisedFeed {
  feed: string;
  status: FeedStatus;
  /** Since when the data are older than promised; null if they are not, or without any success. */
  lateSince: Date | null;
  /** Error while the feed fails. */
  lastError: string | null;
  /** Date of the copy that came with the service (`YYYY-MM-DD`), until a run has succeeded. */
  seedDate: string | null;
  /** Warnings although the feed is up. */
  notice: string | null;
}

type Overall = 'up' | 'late' | 'down';

export interface Summary {
  status: Overall;
  sentence: string;
}

/** `11:55 UTC` today, else with the date. */
export const clockTime = (at: Date, now: Date): string => {
  const [day = '', time = ''] = at.toISOString().slice(0, 16).split('T');
  return now.toISOString().startsWith(day) ? `${time} UTC` : `${day} ${time} UTC`;
};

const namedFeeds = 3;

const longestWhy = 90;

/** The first source's reason; the list of feeds shows all. */
const whyOf = (error: string | null): string => {
  const [first = ''] = error === null ? [] : publicReason(error).split('; ');
  const text = first.replace(/[.…]+$/, '');
  if (text === '') return '';
  return `, ${text.length > longestWhy ? `${text.slice(0, longestWhy).trimEnd()}…` : text}`;
};

const clauseOf = ({ feed, status, lateSince, lastError, seedDate }: SummarisedFeed, now: Date): string => {
  const { title } = feedAbout(feed);
  const why = whyOf(lastError);
  if (status === 'seed') return `${title} still the seed of ${seedDate}${why}`;
  if (lateSince === null) return `${title} without data so far${why}`;
  return `${title} late since ${clockTime(lateSince, now)}${why}`;
};

const badness: Readonly<Record<FeedStatus, number>> = { down: 3, late: 2, seed: 1, up: 0, off: 0 };

/** The state of the service in one sentence; `databaseReason` is null while the database is available. */
export const summaryOf = (
  feeds: readonly SummarisedFeed[],
  databaseReason: string | null,
  now: Date,
): Summary => {
  if (databaseReason !== null)
    return { status: 'down', sentence: `The database cannot be used: ${databaseReason.replace(/\.$/, '')}.` };
  const expected = feeds.filter(({ status }) => status !== 'off');
  const troubled = expected
    .filter(({ status }) => status !== 'up')
    .toSorted((a, b) => badness[b.status] - badness[a.status]);
  if (expected.length === 0)
    return { status: 'down', sentence: 'No feed has run yet: the scheduler has not started.' };
  const notices = expected.flatMap(({ feed, notice }) =>
    notice === null ? [] : `; ${feedAbout(feed).title}: ${publicReason(notice)}`,
  );
  if (troubled.length === 0)
    return { status: 'up', sentence: `All ${expected.length} feeds are up${notices.join('')}.` };
  const clauses = troubled.slice(0, namedFeeds).map((feed) => clauseOf(feed, now));
  const rest = troubled.length - clauses.length;
  const more = rest > 0 ? `; ${rest} more below` : '';
  return {
    status: troubled.some(({ status }) => status === 'down') ? 'down' : 'late',
    sentence: `${troubled.length} of ${expected.length} feeds ${troubled.length === 1 ? 'is' : 'are'} not up: ${clauses.join('; ')}${more}${notices.join('')}.`,
  };
};

const longest = 160;

/** The file name at the end of an address. */
const nameOf = (address: string): string => /([\w.{}-]+\.[\w.{}-]+)$/.exec(address)?.[1] ?? 'the source';

/** A failure text for the public, without hosts, folders, addresses or accounts. */
export const publicReason = (error: string): string => {
  const text = error
    .slice(0, 1_000)
    .replace(/\b(?:https?|file):\/\/[^\s,;)"']+/g, (address) =>
      nameOf(address.replace(/[?#].*$|[.:]+$/, '').replace(/^\w+:\/\/[^/]*/, '')),
    )
    .replace(/(?<![\w.])(?:\/[\w.@-]+){2,}\/?/g, (path) => nameOf(path))
    .replace(
      /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[?(?:[\da-f]{0,4}:){3,}[\da-f]{0,4}\]?(?::\d+)?/gi,
      'the source',
    )
    .replaceAll('. / ', '; ')
    .replace(/\b(?:user|role|database|password) "[^"]*"/g, 'the database');
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
};
